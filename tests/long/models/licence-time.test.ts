import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import { customer, operator } from "@/core/base/actor";
import { commit } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { changeLicence, extendLicence } from "@/domain/licences/changes/change";
import { handOut } from "@/domain/licences/keys/hand-out";
import { licenceOfKey } from "@/domain/licences/keys/find";
import { soldKey } from "@/domain/licences/keys/keys";
import { redeem } from "@/domain/licences/changes/redeem";
import type { CheckoutFacts, CheckoutGateway, Dispute } from "@/domain/payments/port/stripe";
import { columnsOfOrder, sealOrder } from "@/domain/payments/port/order-terms";
import { settle } from "@/domain/payments/settlement/settle";
import { accounts } from "@/domain/schema/accounts";
import { licences } from "@/domain/schema/licences";
import { payments } from "@/domain/schema/payments";
import { seededRandom } from "../../crash/random";
import { endsByContract, type Sold } from "../../support/checks/licence-time-by-contract";
import { openStage } from "../../support/shop/stage";

const seed = Number(process.env["MODEL_SEED"] ?? 24);
const leastSteps = Number(process.env["MODEL_STEPS"] ?? 10_000);
const atOnce = 32;
const began = Date.UTC(2026, 0, 1);
const momentOf = (days: number) => new Date(began + Math.round(days * day));
const by = { actor: operator, reason: "the model" };

/** Something that happens to a licence, in days since the beginning; the shop may hear of a `stripe` event later. */
type Event =
  | { does: "redeem" | "suspend" | "reinstate" | "revoke"; at: number }
  | { does: "extend"; at: number; days: number }
  | { does: "stripe"; refunded: number | null; disputes: { status: Dispute["status"]; at: number }[] };

/** One licence of an account, and its events in their order. */
type Life = { name: string; days: number; bought: boolean; events: Event[] };

test(`the same events in shuffled orders leave the same ends, the contract's, after ${leastSteps} steps`, async () => {
  console.log(`licence time: MODEL_SEED=${seed}`);
  await using stage = await openStage({ webhooks: false });
  // another story covers writing to disk
  await stage.ctx.store.client.execute("PRAGMA synchronous = OFF");
  const random = seededRandom(seed);
  for (let steps = 0; steps < leastSteps;) {
    const accountsOfPage = Array.from({ length: atOnce }, () => {
      const lives = Array.from({ length: random.whole(2, 6) }, (_, nth) => randomLife(random, nth));
      return { lives, orders: [shuffled(random, lives), shuffled(random, lives)] };
    });
    const ended = await Promise.all(
      accountsOfPage.flatMap(({ lives, orders }) =>
        orders.map(async (order) => ({ lives, order, ends: await lived(stage.ctx, lives, order) })),
      ),
    );
    for (const { lives, order, ends } of ended) {
      expect(ends, JSON.stringify({ lives, order })).toEqual(byContract(lives));
      steps += order.length;
    }
  }
});

type Random = ReturnType<typeof seededRandom>;

function randomLife(random: Random, nth: number): Life {
  // no two at the same moment, where ids would decide
  let last = random.whole(0, 40) + (nth + 1) / 100;
  const redeemed = last;
  const next = () => (last += random.whole(0, 12) + 0.001);
  const bought = random.whole(0, 1) === 1;
  const events: Event[] = [{ does: "redeem", at: redeemed }];
  let [suspended, refunded] = [false, null as number | null];
  const disputes: { status: Dispute["status"]; at: number }[] = [];
  for (let count = random.whole(0, 6); count > 0; count -= 1) {
    const what = random.pick(["suspend", "extend", "refund", "dispute", "revoke"] as const);
    if (what === "extend") events.push({ does: "extend", at: next(), days: random.whole(1, 20) });
    if (what === "suspend") events.push({ does: suspended ? "reinstate" : "suspend", at: next() });
    if (what === "suspend") suspended = !suspended;
    if (what === "revoke" && random.whole(0, 3) === 0) {
      events.push({ does: "revoke", at: next() });
      break;
    }
    if (!bought || (what !== "refund" && what !== "dispute")) continue;
    if (what === "refund") refunded = refunded === null ? next() : null;
    const [open] = disputes.filter(({ status }) => status === "needs_response");
    if (what === "dispute" && open) open.status = random.pick(["won", "lost"]);
    if (what === "dispute" && !open) disputes.push({ status: "needs_response", at: next() });
    events.push({ does: "stripe", refunded, disputes: disputes.map((one) => ({ ...one })) });
  }
  return { name: `licence ${nth}`, days: random.whole(1, 30), bought, events };
}

type Step = { life: number; event: Event };

/** All licences' events in a random order that keeps each licence's own. */
function shuffled(random: Random, lives: Life[]): Step[] {
  const left = lives.map(({ events }) => [...events]);
  const steps: Step[] = [];
  for (;;) {
    const open = left.flatMap((events, life) => (events.length > 0 ? [life] : []));
    if (open.length === 0) return steps;
    const life = random.pick(open);
    const [event] = left[life]!.splice(0, 1);
    steps.push({ life, event: event! });
  }
}

/** The contract's end of each of these licences by name, in Unix milliseconds. */
function byContract(lives: Life[]): Record<string, number | null> {
  const ends = endsByContract(lives.map(soldAs), "test");
  return Object.fromEntries(
    Object.entries(ends).map(([name, end]) => [name, end && momentOf(end).getTime()]),
  );
}

function soldAs({ name, days, bought, events }: Life): Sold {
  const sold: Sold = {
    name,
    level: "premium",
    days,
    redeemed: 0,
    mode: bought ? "test" : null,
    causes: [],
    extensions: [],
  };
  let suspended: number | null = null;
  let atStripe: number[] = [];
  for (const [nth, event] of events.entries()) {
    if (event.does === "redeem") sold.redeemed = event.at;
    if (event.does === "suspend") suspended = event.at;
    if (event.does === "reinstate") suspended = null;
    if (event.does === "revoke") sold.causes.push(event.at);
    if (event.does === "extend")
      sold.extensions.push({ name: `${name} ${nth}`, days: event.days, at: event.at });
    if (event.does !== "stripe") continue;
    const taking = event.disputes.filter(({ status }) => status !== "won").map(({ at }) => at);
    atStripe = event.refunded === null ? taking : [...taking, event.refunded];
  }
  sold.causes.push(...atStripe, ...(suspended === null ? [] : [suspended]));
  return sold;
}

/** Plays the steps on a new account; resolves to the stored ends. */
async function lived(ctx: Ctx, lives: Life[], steps: Step[]): Promise<Record<string, number | null>> {
  const accountId = await newAccount(ctx);
  const delivered = new Map<number, CheckoutFacts>();
  const sessionOf = (life: number) => `cs_${accountId}_${life}`;
  const gateway = {
    read: (session: string) => Promise.resolve(delivered.get(Number(session.split("_").at(-1))) ?? null),
  } as CheckoutGateway;
  const keys = await Promise.all(
    lives.map(async ({ days, bought }, life) => {
      if (!bought) return handOut(ctx, { days }, by);
      delivered.set(life, await order(ctx, sessionOf(life), days));
      await settle(ctx, gateway, sessionOf(life));
      return soldKey(ctx, sessionOf(life));
    }),
  );
  for (const { life, event } of steps) {
    const then = { ...ctx, now: () => ("at" in event ? momentOf(event.at) : new Date()) };
    const licence = (await licenceOfKey(ctx, keys[life]!))!;
    if (event.does === "redeem") await redeem(then, customer(accountId), keys[life]!);
    else if (event.does === "extend") await extendLicence(then, licence, event.days, by);
    else if (event.does !== "stripe") await changeLicence(then, licence, event.does, by);
    else {
      delivered.set(life, factsAfter(delivered.get(life)!, event));
      await settle(then, gateway, sessionOf(life));
    }
  }
  return Object.fromEntries(
    await Promise.all(
      lives.map(async ({ name }, life) => {
        const [stored] = await ctx.store.db
          .select({ expiresAt: licences.expiresAt })
          .from(licences)
          .where(eq(licences.id, (await licenceOfKey(ctx, keys[life]!))!.id));
        return [name, stored?.expiresAt?.getTime() ?? null] as const;
      }),
    ),
  );
}

async function newAccount(ctx: Ctx): Promise<string> {
  const id = newId();
  const name = { username: id, usernameKey: id, email: `${id}@example.com`, emailKey: `${id}@example.com` };
  const account = { id, ...name, passwordHash: "", timezone: "UTC", createdAt: momentOf(0) };
  await commit(ctx.store, [ctx.store.db.insert(accounts).values(account)]);
  return id;
}

/** Opens an order; resolves to what Stripe says of it once it is paid. */
async function order(ctx: Ctx, sessionId: string, days: number): Promise<CheckoutFacts> {
  const sealed = sealOrder(ctx, {
    id: newId(),
    amount: 500,
    currency: "usd",
    offer: "days",
    product: "Days",
    level: "premium",
    levelName: "Premium",
    days,
    devices: 1,
    every: null,
    trialDays: null,
    quantity: 1,
    gift: null,
    buyer: null,
  });
  const createdAt = momentOf(0);
  const payment = {
    ...columnsOfOrder(sealed),
    sessionId,
    state: "open" as const,
    livemode: false,
    createdAt,
  };
  await commit(ctx.store, [ctx.store.db.insert(payments).values(payment)]);
  return {
    sessionId,
    status: "complete",
    mode: "payment",
    paid: true,
    paidAt: createdAt,
    chargedAt: createdAt,
    subtotal: 500,
    off: 0,
    taxes: 0,
    total: 500,
    quantity: 1,
    currency: "usd",
    livemode: false,
    email: null,
    writtenKeyVersions: null,
    subscription: null,
    periodEndsAt: null,
    credit: 0,
    recurring: null,
    trial: null,
    began: null,
    ended: false,
    createdAt,
    order: { ...sealed, pieces: 1 },
    invoice: null,
    intent: { id: `pi_${sessionId}`, onItsWay: false, failure: null, received: 500 },
    buyer: { country: null, taxId: null },
    charge: {
      id: `ch_${sessionId}`,
      card: null,
      method: "card",
      amountRefunded: 0,
      refunded: false,
      refundedAt: null,
    },
    refunds: [],
    disputes: [],
    code: null,
    warned: null,
  };
}

/** Of a dispute: it changes nothing about licences. */
const unknown = { reason: null, amount: null, currency: null, answerBy: null };

function factsAfter(facts: CheckoutFacts, { refunded, disputes }: Event & { does: "stripe" }): CheckoutFacts {
  const charge = {
    id: facts.charge?.id ?? "",
    card: null,
    method: "card",
    amountRefunded: refunded === null ? 0 : 500,
    refunded: refunded !== null,
    refundedAt: refunded === null ? null : momentOf(refunded),
  };
  return {
    ...facts,
    charge,
    disputes: disputes.map(({ status, at }, index) => ({
      ...unknown,
      id: `du_${index}_${facts.sessionId}`,
      status,
      at: momentOf(at),
      moves: [],
    })),
  };
}
