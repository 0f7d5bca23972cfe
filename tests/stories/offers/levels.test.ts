/** Offers of several levels, and those that are in no list. */
import { expect, test } from "bun:test";
import { addOffer } from "@/domain/offers/change";
import { recurringOffersOnSale } from "@/domain/offers/list";
import { checkout, resultOf } from "../../support/people/buyer";
import { addLevels } from "../../support/shop/levels";
import { openStage, type Stage } from "../../support/shop/stage";
import { by } from "../subscriptions/subscriber";

const team = { id: "team", name: "Team, for life", amount: 900, days: null, level: "team" };

async function sellTeam(stage: Stage, more: object = {}) {
  await addLevels(stage, { id: "team", name: "Team", features: ["export", "api"] });
  await addOffer(stage.ctx, { ...team, ...more }, by);
}

test("an offer says its level, and what that unlocks", async () => {
  await using stage = await openStage();
  await sellTeam(stage);
  expect((await stage.person().get("/api/offers")).body.data).toMatchObject([
    { id: "premium", level: { id: "premium" }, features: [] },
    { id: "team", level: { id: "team", name: "Team" }, features: ["api", "export"] },
  ]);
});

test("a hidden offer is in no list and not in the portal, is answered by its id, and can be bought", async () => {
  await using stage = await openStage();
  await sellTeam(stage);
  const monthly = { id: "monthly", name: "Monthly", amount: 300, days: null, every: "month" as const };
  await addOffer(stage.ctx, { ...monthly, level: "team", hidden: true }, by);
  await addOffer(stage.ctx, { ...team, id: "secret", hidden: true }, by);
  const buyer = stage.person();
  const listed = (await buyer.get("/api/offers")).body.data;
  expect(listed.map(({ id }: { id: string }) => id)).toEqual(["premium", "team"]);
  expect(await recurringOffersOnSale(stage.ctx)).toEqual([]);
  expect((await buyer.get("/api/offers?id=secret")).body.data).toMatchObject([{ id: "secret" }]);
  expect((await buyer.get("/api/offers?id=nothing")).body.data).toEqual([]);
  const session = await checkout(buyer, { offer: "secret" });
  await stage.atStripe("pay", { session, email: "buyer@example.com" });
  expect((await resultOf(buyer, session)).offer).toBe("secret");
});

test("who has a level for life upgrades by a second purchase, keeps the first, and is told what adds nothing", async () => {
  await using stage = await openStage();
  await sellTeam(stage);
  const person = stage.person();
  await person.register(await stage.handOut(), "winston");
  const adds = async () =>
    (await person.get("/api/offers")).body.data.map((one: { adds: boolean }) => one.adds);
  expect(await adds()).toEqual([false, true]);
  const session = await checkout(person, { offer: "team" });
  await stage.atStripe("pay", { session, email: "winston@example.com" });
  await stage.stripe.flush();
  expect(await adds()).toEqual([false, false]);
  const levelsOf = async () =>
    (await person.get("/api/licenses/me")).body.data
      .filter(({ active }: { active: boolean }) => active)
      .map(({ level }: { level: { id: string } }) => level.id)
      .toSorted();
  expect(await levelsOf()).toEqual(["premium", "team"]);
});
