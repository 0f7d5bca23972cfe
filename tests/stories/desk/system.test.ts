import { afterAll, expect, test } from "bun:test";
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

test("an owner sees every setting, and no secret", async () => {
  const { rows } = (await olga.get("settings")).body.data;
  expect(rows.map(({ name }: { name: string }) => name)).toEqual(settingNames);
  const of = (name: string) => rows.find((row: { name: string }) => row.name === name);
  expect(of("STRIPE_SECRET_KEY")).toMatchObject({ secret: true, value: null, set: true });
  expect(of("DISCORD")).toMatchObject({ secret: false, value: "off", set: true });
  expect(of("CURRENCY")).toMatchObject({ secret: false, value: null, set: false, otherwise: "usd" });
});
