import { expect, test } from "bun:test";
import { day } from "@/contract/time";
import { audit, auditTrail } from "@/core/audit";
import { commit } from "@/core/commit";
import { operate } from "../../support/operator/run-operator";
import { openStage } from "../../support/shop/stage";

test("the audit log keeps everyday entries for two years, and those about money, licences and access for good", async () => {
  await using stage = await openStage();
  const told = async () =>
    (await auditTrail(stage.ctx, { about: "someone", limit: 50 })).map(({ action }) => action);
  const entries = ["account.signed_in", "build.downloaded", "password.changed", "payment.succeeded"];
  await commit(
    stage.ctx.store,
    [...entries, "licence.revoked"].map((action) =>
      audit(stage.ctx, { actor: "shop", action, subject: "someone" }),
    ),
  );
  stage.advance(729 * day);
  await stage.shop.chores.run();
  expect((await told()).toSorted()).toEqual([...entries, "licence.revoked"].toSorted());
  stage.advance(2 * day);
  await stage.shop.chores.run();
  expect((await told()).toSorted()).toEqual(["licence.revoked", "password.changed", "payment.succeeded"]);
});

test("the audit log can be searched by actor and by the beginning of the action, newest first", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  const entries = [
    { actor: "operator", action: "licence.issued", subject: "one" },
    { actor: "shop", action: "payment.succeeded", subject: "two" },
    { actor: "discord:7", action: "licence.revoked", subject: "one" },
    { actor: "account-1", action: "licence.redeemed", subject: "one", accountId: "account-1" },
  ];
  for (const entry of entries) {
    await commit(ctx.store, [audit(ctx, entry)]);
    stage.advance(1_000);
  }
  const found = async (filter: object) =>
    (await auditTrail(ctx, { limit: 50, ...filter })).map(({ actor, action }) => `${actor} ${action}`);
  expect(await found({ action: "licence" })).toEqual([
    "account-1 licence.redeemed",
    "discord:7 licence.revoked",
    "operator licence.issued",
  ]);
  expect(await found({ action: "licence.issued" })).toEqual(["operator licence.issued"]);
  for (const [actor, action] of [
    ["operator", "licence.issued"],
    ["discord:7", "licence.revoked"],
    ["account-1", "licence.redeemed"],
    ["shop", "payment.succeeded"],
  ] as const) {
    expect(await found({ actor })).toEqual([`${actor} ${action}`]);
  }
  expect(await found({ actor: "shop", action: "licence" })).toEqual([]);
  expect(await found({ limit: 1 })).toEqual(["account-1 licence.redeemed"]);
});

test("only a start and the doctor check the whole database for damage", async () => {
  await using stage = await openStage();
  await stage.ctx.store.client.executeMultiple(
    "PRAGMA ignore_check_constraints = ON; INSERT INTO guard (ok) VALUES (0)",
  );
  expect(await operate(stage, "audit", "show")).toMatchObject({ code: 0 });
  const doctor = await operate(stage, "doctor");
  expect(doctor.code).toBe(1);
  expect(doctor.err).toContain("is damaged: restore it from a backup");
});
