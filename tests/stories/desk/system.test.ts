import { afterAll, expect, test } from "bun:test";
import { minute } from "@/contract/vocabulary/time";
import { auditTrail } from "@/core/database/audit";
import { settingNames } from "@/core/settings/settings";
import { atDesk } from "../../support/people/desk";
import { eventually, openStage } from "../../support/shop/stage";

const stage = await openStage();
afterAll(() => stage[Symbol.asyncDispose]());
const olga = await atDesk(stage, "olga", "owner");
const sam = await atDesk(stage, "sam", "support");

test("support sees how the shop is without anybody being asked, and an owner has it examined", async () => {
  stage.advance(60_000);
  const before = await eventually(
    async () => (await sam.get("system")).body.data,
    ({ processes }) => processes.length > 0,
  );
  expect(before).toMatchObject({
    discord: "off",
    stripe: { mode: "test" },
    backup: { last: null },
    checked_at: null,
    findings: [],
    processes: [{ this: true }],
  });
  expect(before.database.bytes).toBeGreaterThan(100_000);
  expect(before.database.migrations).toBeGreaterThan(0);
  const begun = (await olga.post("system/check")).body.data;
  expect(begun.checking).toBe(true);
  const after = await eventually(
    async () => (await sam.get("system")).body.data,
    ({ checking, checked_at: at }) => !checking && at !== null,
    120_000,
  );
  const states = Object.fromEntries(
    after.findings.map(({ what, state }: { what: string; state: string }) => [what, state]),
  );
  expect(states).toMatchObject({ Stripe: "well", mail: "well", database: "well", Discord: "warning" });
  expect(Object.keys(states)).not.toContain("not checked");
});

test("an owner tries mail and Stripe: a letter to oneself, and each permission of the key", async () => {
  const tried = async (service: string) => (await olga.post("system/try", { service })).body.data.findings;
  expect(await tried("mail")).toMatchObject([{ what: "mail", state: "well" }]);
  expect(stage.mail.messages("olga@example.com").map(({ subject }) => subject)).toContainEqual(
    expect.stringContaining("a test of your shop's mail"),
  );
  stage.mail.setFaults({ mode: "reject-5xx", at: "sender", reply: "554 5.7.1 You are blocked" });
  const [mail] = await tried("mail");
  expect(mail).toMatchObject({ state: "wrong", sentence: expect.stringContaining("blocked") });
  stage.mail.setFaults({ mode: "accept" });
  const stripe = await tried("stripe");
  expect(stripe.length).toBeGreaterThan(8);
  expect(stripe).toContainEqual({ what: "Stripe", state: "well", sentence: "Checkout Sessions: Write." });
  expect(await tried("discord")).toMatchObject([{ what: "Discord", state: "warning" }]);
  expect((await sam.post("system/try", { service: "mail" })).body.code).toBe("forbidden");
});

test("an owner tries the bot, which gives itself the role and takes it back", async () => {
  await using server = await openStage({ discord: true });
  const owner = await atDesk(server, "olga", "owner");
  const { findings } = (await owner.post("system/try", { service: "discord" })).body.data;
  expect(findings).toContainEqual({
    what: "Discord",
    state: "well",
    sentence: "The bot gave itself the role Premium and took it back.",
  });
});

test("each service is tried once at a time, however often an owner asks", async () => {
  await using server = await openStage({ discord: true });
  const owner = await atDesk(server, "olga", "owner");
  const tried = async (service: string) => {
    const all = await Promise.all(Array.from({ length: 6 }, () => owner.post("system/try", { service })));
    return all.map(({ status, body }) => (status === 200 ? "tried" : String(body.code))).toSorted();
  };
  server.mail.setFaults({ mode: "slow", delayMs: 500 });
  await server.atStripe("faults", { api: { latencyMs: 20 } });
  for (const service of ["mail", "stripe", "discord"])
    expect([service, await tried(service)]).toEqual([service, [...Array(5).fill("rate_limited"), "tried"]]);
  server.mail.setFaults({ mode: "accept" });
  const letters = server.mail.messages("olga@example.com");
  expect(letters.filter(({ subject }) => subject?.includes("a test of your shop's mail"))).toHaveLength(1);
});

test("who has an owner's desk without their authenticator pushes no backup out", async () => {
  await using small = await openStage({ env: { BACKUP_KEEP: "1" } });
  const owner = await atDesk(small, "olga", "owner");
  const kept = async () => (await owner.get("backups")).body.data.rows.map(({ id }: { id: string }) => id);
  const make = () => owner.post("backups", { reason: "before an upgrade" });
  expect((await make()).status).toBe(200);
  const [first] = await eventually(kept, (ids) => ids.length > 0);
  small.advance(11 * minute);
  expect((await make()).body.code).toBe("confirm");
  expect(await kept()).toEqual([first]);
  await owner.confirm();
  expect((await make()).status).toBe(200);
});

test("an owner makes a backup and finds it listed, and the log says why", async () => {
  const before = (await olga.get("backups")).body.data;
  expect(before).toMatchObject({ making: false, problem: null, rows: [] });
  expect((await olga.post("backups", { reason: "before an upgrade" })).status).toBe(200);
  const { rows } = await eventually(
    async () => (await olga.get("backups")).body.data,
    ({ making }) => !making,
  );
  expect(rows).toMatchObject([{ own: true }]);
  const [logged] = await auditTrail(stage.ctx, { action: "shop.backed_up", limit: 1 });
  expect(logged).toMatchObject({ subject: rows[0].id, reason: "before an upgrade", actorRole: "owner" });
  expect((await sam.get("backups")).body.code).toBe("forbidden");
});

test("an owner sees every setting, and no secret", async () => {
  const { rows } = (await olga.get("settings")).body.data;
  expect(rows.map(({ name }: { name: string }) => name)).toEqual(settingNames);
  const of = (name: string) => rows.find((row: { name: string }) => row.name === name);
  expect(of("STRIPE_SECRET_KEY")).toMatchObject({ secret: true, value: null, set: true });
  expect(of("DISCORD")).toMatchObject({ secret: false, value: "off", set: true });
  expect(of("CURRENCY")).toMatchObject({ secret: false, value: null, set: false, otherwise: "usd" });
});
