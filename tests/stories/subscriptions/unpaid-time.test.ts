import { expect, test } from "bun:test";
import { day, hour } from "@/contract/vocabulary/time";
import { addOffer } from "@/domain/offers/change";
import type { Stage } from "../../support/shop/stage";
import type { Person } from "../../support/people/person";
import { login } from "../accounts/people";
import {
  atStripeNow,
  buy,
  by,
  customer,
  happens,
  openInvoice,
  openSubscriptionShop,
  pass,
  settleAll,
  switchOnPage,
} from "./subscriber";

async function later(stage: Stage, person: Person, days: number) {
  await pass(stage, days);
  await login(person, "ada");
  await settleAll(stage);
}

async function licenceOf({ ctx }: Stage) {
  const { rows } = await ctx.store.client.execute(
    "SELECT devices, expires_at FROM licences WHERE paid_until IS NOT NULL",
  );
  const [one] = rows;
  return {
    devices: Number(one?.["devices"]),
    daysLeft: (Number(one?.["expires_at"]) - ctx.now().getTime()) / day,
  };
}

const stateOf = async (person: Person) => (await person.get("/api/subscriptions")).body.data[0].status;

async function subscribe(stage: Stage, offer: string, outcome?: string) {
  const ada = await customer(stage, "ada");
  const session = await buy(stage, ada, { offer, ...(outcome && { outcome }) });
  const [held] = await atStripeNow(stage);
  return { ada, session, subscription: held?.subscription ?? "" };
}

test("a switch credits time that was never paid: it gives none, and the missing payment stays missing", async () => {
  await using stage = await openSubscriptionShop();
  const year = { amount: 30_000, days: null, every: "year" } as const;
  await addOffer(stage.ctx, { id: "basic", name: "Basic", ...year, trialDays: 7 }, by);
  await addOffer(stage.ctx, { id: "other", name: "Other", ...year }, by);
  const { ada, subscription } = await subscribe(stage, "basic");
  await stage.atStripe("card/mood", { subscription, mood: "declines" });
  await later(stage, ada, 8);
  await switchOnPage(stage, ada, "other");
  expect(await stateOf(ada)).toBe("past_due");
  expect((await licenceOf(stage)).daysLeft).toBeLessThan(4);
  await later(stage, ada, 12);
  expect((await licenceOf(stage)).daysLeft).toBeLessThan(0);
  // once it is paid, so is the switch
  await happens(stage, "invoice/outside", { invoice: await openInvoice(stage) });
  expect(await stateOf(ada)).toBe("active");
  expect((await licenceOf(stage)).daysLeft).toBeGreaterThan(340);
});

test("more computers come with the money for them, and not while it is on its way", async () => {
  await using stage = await openSubscriptionShop();
  const team = { days: null, devices: 10 } as const;
  await addOffer(stage.ctx, { id: "team", name: "Team", amount: 30_000, every: "month", ...team }, by);
  await addOffer(
    stage.ctx,
    { id: "teamyear", name: "Team year", amount: 33_000, every: "year", ...team },
    by,
  );
  const { ada, session } = await subscribe(stage, "month", "processing");
  stage.advance(hour);
  await happens(stage, "settle", { session, outcome: "succeed" });
  await switchOnPage(stage, ada, "team");
  expect(await licenceOf(stage)).toMatchObject({ devices: 1 });
  await switchOnPage(stage, ada, "teamyear");
  const owed = (await atStripeNow(stage))[0]?.invoices.filter(({ status }) => status === "open") ?? [];
  const [small, large] = owed.toSorted((one, other) => one.amount_due - other.amount_due);
  await stage.atStripe("invoice/settle", { invoice: small?.invoice, outcome: "succeed" });
  await happens(stage, "invoice/settle", { invoice: large?.invoice, outcome: "fail" });
  const { devices, daysLeft } = await licenceOf(stage);
  expect([devices, daysLeft < 35]).toEqual([1, true]);
});
