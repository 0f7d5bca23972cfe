import { customer, operator, theShop } from "@/core/base/actor";
import { staff } from "../../support/people/staff";
import { expect, test } from "bun:test";
import { desc, eq } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import { auditTrail, loggedActor, record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import { auditLog } from "@/core/database/schema";
import { operate } from "../../support/operator/run-operator";
import { openStage } from "../../support/shop/stage";

test("the audit log keeps everyday entries for two years, and those about money, licences and access for good", async () => {
  await using stage = await openStage();
  const rows = async () =>
    (await auditTrail(stage.ctx, { about: "someone", limit: 50 })).map(({ action }) => action);
  const entries = ["account.signed_in", "ticket.opened", "password.changed", "payment.contested"] as const;
  await commit(
    stage.ctx.store,
    [...entries, "licence.revoked" as const].map((action) =>
      record(stage.ctx, { actor: theShop, action, subject: "someone" }),
    ),
  );
  stage.advance(729 * day);
  await stage.shop.periodicJobs.run();
  expect((await rows()).toSorted()).toEqual([...entries, "licence.revoked"].toSorted());
  stage.advance(2 * day);
  await stage.shop.periodicJobs.run();
  expect((await rows()).toSorted()).toEqual(["licence.revoked", "password.changed", "payment.contested"]);
});

test("the audit log can be searched by actor and by the beginning of the action, newest first", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  const events = [
    record(ctx, {
      actor: operator,
      action: "licence.issued",
      subject: "one",
      detail: { key: "", days: 1, devices: 1 },
    }),
    record(ctx, { actor: theShop, action: "payment.contested", subject: "two" }),
    record(ctx, { actor: staff("7"), action: "licence.revoked", subject: "one" }),
    record(ctx, {
      actor: customer("account-1"),
      action: "licence.redeemed",
      subject: "one",
      accountId: "account-1",
    }),
  ];
  for (const event of events) await commit(ctx.store, [event]);
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
    ["shop", "payment.contested"],
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

test("the log's entries have numbers that only rise, whatever the clock does and whatever is deleted", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  const recorded = async (at: Date) => {
    const then = { ...ctx, now: () => at };
    await commit(ctx.store, [record(then, { actor: theShop, action: "payment.contested", subject: "one" })]);
    const [newest] = await ctx.store.db.select().from(auditLog).orderBy(desc(auditLog.sequence)).limit(1);
    return newest!;
  };
  const now = ctx.now();
  const first = await recorded(now);
  // the release before knows no numbers
  await ctx.store.client.execute(
    `INSERT INTO audit_log (id, at, actor, actor_kind, action, subject) VALUES ('old', ${now.getTime()}, 'shop', 'shop', 'payment.synced', 'one')`,
  );
  const earlier = await recorded(new Date(now.getTime() - day));
  expect(earlier.sequence).toBe(first.sequence! + 2);
  const [old] = await ctx.store.db.select().from(auditLog).where(eq(auditLog.id, "old"));
  expect(old?.sequence).toBe(first.sequence! + 1);
  // a copy that was restored from a backup forgets its newest entries
  await ctx.store.db.delete(auditLog);
  const later = await recorded(new Date(now.getTime() + day));
  expect(later.sequence).toBeGreaterThan(earlier.sequence!);
});

test("the log says in which role and where staff acted", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  await commit(ctx.store, [
    record(ctx, { actor: staff("7", ["owner"]), action: "payment.contested", subject: "one" }),
  ]);
  const entries = await auditTrail(ctx, { about: "one", limit: 5 });
  expect(entries.map(loggedActor)).toEqual([
    { kind: "staff", id: "discord:7", role: "owner", via: "discord" },
  ]);
});
