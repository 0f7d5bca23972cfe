/** What happens to levels at the same moment as something else. */
import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { changeLevelOf } from "@/domain/licences/changes/staff-terms";
import { handOut } from "@/domain/licences/keys/hand-out";
import { retireLevel } from "@/domain/offers/change-level";
import { addOffer } from "@/domain/offers/change";
import { mailsTo, prove } from "../accounts/people";
import { afterRead } from "../../support/shop/after-read";
import { addLevels } from "../../support/shop/levels";
import { openStage, type Stage } from "../../support/shop/stage";
import type { Person } from "../../support/people/person";
import { buy, by, checkout, customer, seenBy, settleAll, switchOnPage } from "../subscriptions/subscriber";

async function openTeam(): Promise<Stage> {
  const stage = await openStage();
  await addLevels(stage, { id: "team", name: "Team", features: ["export"] });
  const month = { days: null, every: "month" } as const;
  await addOffer(stage.ctx, { ...month, id: "month", name: "A month", amount: 300 }, by);
  await addOffer(
    stage.ctx,
    { ...month, id: "team-month", name: "Team monthly", amount: 900, level: "team" },
    by,
  );
  await addOffer(stage.ctx, { id: "team", name: "Team", amount: 900, days: null, level: "team" }, by);
  return stage;
}

const keyOf = (stage: Stage, level: string, days: number | null) => handOut(stage.ctx, { days, level }, by);
const redeem = async (person: Person, key: string) =>
  (await person.post("/api/licenses/redeem", { key, timezone: "UTC" })).body;
const levelsOf = async (person: Person): Promise<string[]> =>
  (await person.get("/api/licenses/me")).body.data
    .filter(({ active }: { active: boolean }) => active)
    .map(({ type }: { type: string }) => type)
    .toSorted();
const rowsOf = async ({ ctx }: Stage, where: string) =>
  (await ctx.store.client.execute(`SELECT * FROM licences WHERE ${where}`)).rows;

test("of two keys of different levels that are redeemed at once, none is lost, and time runs beside", async () => {
  await using stage = await openTeam();
  const ada = await customer(stage);
  const keys = await Promise.all([keyOf(stage, "premium", 30), keyOf(stage, "team", 10)]);
  const answers = await Promise.all(keys.map((key) => redeem(ada, key)));
  const days = answers.map(({ data }) =>
    Math.round((Date.parse(data.expiry_date) - stage.ctx.now().getTime()) / day),
  );
  // after the day that ada had already
  expect(days).toEqual([31, 10]);
  for (let round = 0; round < 3; round += 1) {
    const person = stage.person();
    await person.register(await keyOf(stage, "premium", 1), `racer-${round}`);
    const lifetimes = await Promise.all([keyOf(stage, "premium", null), keyOf(stage, "team", null)]);
    const [premium, team] = await Promise.all(lifetimes.map((key) => redeem(person, key)));
    expect(team.status).toBe(200);
    // once Team is there, the key of the level that it contains stays unused
    if (premium.status === 200) expect(await levelsOf(person)).toEqual(["premium", "premium", "team"]);
    else {
      expect(premium.code).toBe("license_pointless");
      expect(await levelsOf(person)).toEqual(["premium", "team"]);
    }
  }
});

test("a checkout that is paid while its level is retired is a sale of that level, of a subscription too", async () => {
  await using stage = await openTeam();
  const [ada, bob] = [await customer(stage), await customer(stage, "bob")];
  const [life, monthly] = [await checkout(ada, "team"), await checkout(bob, "team-month")];
  await Promise.all([
    retireLevel(stage.ctx, "team", by),
    stage.stripeTells("pay", { session: life, email: "ada@example.com" }),
    stage.stripeTells("pay", { session: monthly, email: "bob@example.com" }),
  ]);
  await settleAll(stage);
  for (const person of [ada, bob]) {
    expect(await levelsOf(person)).toEqual(["premium", "team"]);
    const { level, features } = (await person.get("/api/user/me")).body.data;
    expect({ level, features }).toEqual({ level: { id: "team", name: "Team" }, features: ["export"] });
  }
  expect(await stage.count("levels WHERE id = 'team' AND retired_at IS NOT NULL AND NOT from_order")).toBe(1);
});

test("a key that is redeemed while staff change its level has the new one, and its owner is told", async () => {
  await using stage = await openTeam();
  const ada = await customer(stage);
  await prove(stage, "ada");
  const key = await keyOf(stage, "premium", 30);
  const [licence] = await rowsOf(stage, "account_id IS NULL");
  const id = licence?.["id"] as string;
  {
    using _ = afterRead(stage, "licences", async () => expect((await redeem(ada, key)).status).toBe(200));
    await changeLevelOf(stage.ctx, { id }, "team", by);
  }
  expect(await rowsOf(stage, `id = '${id}'`)).toMatchObject([{ type: "team", chain: "premium" }]);
  expect(await levelsOf(ada)).toEqual(["premium", "team"]);
  const subjects = (await mailsTo(stage, "ada@example.com")).map(({ subject }) => subject);
  expect(subjects).toContain("Your Wisp Selfbot license is now Team");
  expect(
    await stage.count("audit_log WHERE action = 'licence.level_changed' AND account_id IS NOT NULL"),
  ).toBe(1);
});

test("a lifetime that becomes of a subscription's level while it is redeemed ends the subscription", async () => {
  await using stage = await openTeam();
  const ada = await customer(stage);
  await buy(stage, ada, { offer: "team-month" });
  const key = await keyOf(stage, "premium", null);
  const [licence] = await rowsOf(stage, "account_id IS NULL");
  {
    using _ = afterRead(stage, "licences", async () => {
      await redeem(ada, key);
      await settleAll(stage);
    });
    await changeLevelOf(stage.ctx, { id: licence?.["id"] as string }, "team", by);
  }
  await settleAll(stage);
  expect((await seenBy(ada)).status).toBe("ending");
});

test("a license whose level is changed while it is refunded stays refunded, of the new level", async () => {
  await using stage = await openTeam();
  const ada = await customer(stage);
  const session = await buy(stage, ada, { offer: "premium" });
  const [licence] = await rowsOf(stage, "payment_id IS NOT NULL");
  const id = licence?.["id"] as string;
  await Promise.all([changeLevelOf(stage.ctx, { id }, "team", by), stage.stripeTells("refund", { session })]);
  await settleAll(stage);
  expect(await rowsOf(stage, `id = '${id}'`)).toMatchObject([
    { type: "team", staff_level: "team", payment_standing: "refunded" },
  ]);
  expect((await ada.get("/api/user/me")).body.data).toMatchObject({ level: { id: "premium" }, features: [] });
});

test("a level that staff set while the customer switches holds for the price that it was set on", async () => {
  await using stage = await openTeam();
  await addLevels(stage, { id: "school", name: "School", place: 3, includesBefore: false });
  const ada = await customer(stage);
  await buy(stage, ada, { offer: "month" });
  const [licence] = await rowsOf(stage, "paid_until IS NOT NULL");
  const id = licence?.["id"] as string;
  await Promise.all([changeLevelOf(stage.ctx, { id }, "school", by), switchOnPage(stage, ada, "team-month")]);
  await settleAll(stage);
  const [after] = await rowsOf(stage, `id = '${id}'`);
  expect(after?.["type"]).toBe(after?.["staff_level"] ?? "team");
  expect((await seenBy(ada)).offer).toBe("team-month");
});
