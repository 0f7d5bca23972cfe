import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import Stripe from "stripe";
import { day, hour, minute } from "@/contract/time";
import { soldKey } from "@/domain/licences/keys";
import { addOffer } from "@/domain/offers/change";
import { CheckoutRefused } from "@/domain/payments/checkout/checkout";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import { refundPayment } from "@/domain/payments/staff/refund-payment";
import { syncSubscriptions } from "@/domain/payments/subscriptions/by-staff";
import { lookAtUnended } from "@/domain/payments/subscriptions/unended";
import { eq } from "drizzle-orm";
import { payments } from "@/domain/schema/payments";
import { deliver, type StripeEvent } from "../../crash/events";
import { seededRandom } from "../../crash/random";
import type { Person } from "../../support/people/person";
import { openStage, type Stage } from "../../support/shop/stage";
import { type Due, dueOf, heldAtStripe, type HeldInvoice, type HeldSubscription } from "./due";
import { by, password } from "./subscriber";

const recurring = [
  { id: "month", name: "A month", amount: 3_000, every: "month", devices: 1, trialDays: null },
  { id: "team", name: "A team", amount: 9_000, every: "month", devices: 5, trialDays: null },
  { id: "year", name: "A year", amount: 30_000, every: "year", devices: 1, trialDays: null },
  { id: "tried", name: "A month to try", amount: 3_000, every: "month", devices: 1, trialDays: 14 },
] as const;
type Offer = (typeof recurring)[number]["id"];
/** Half off: of every invoice, or of the first. */
type Code = "ALWAYS" | "ONCE";

/** What may happen next. `which` subscription, and which of its paid `invoice`s, are taken modulo those that exist. */
export type Step =
  | { does: "buy"; who: number; offer: Offer; code: Code | null; byDebit: boolean }
  | { does: "fail" | "ask" | "recover" | "newCard" | "payInvoice" | "voidInvoice"; which: number }
  | { does: "debitArrives" | "debitFails"; which: number }
  | { does: "cancel" | "cancelNow" | "resume"; which: number }
  | { does: "pause" | "goOn" | "stopCollecting" | "voidInvoices" | "collect"; which: number }
  | { does: "switch"; which: number; offer: Offer }
  | { does: MoneyBack; which: number; invoice: number }
  | { does: "redeemLifetime" | "redeemDays" | "register"; who: number }
  | { does: "deliver" | "redeliver" | "drop" | "stumble"; nth: number }
  | { does: "burst" | "restart" | "backUp" | "restore" | "settle" }
  | { does: "pass"; days: number };
type MoneyBack =
  | "refund"
  | "refundPart"
  | "refundLate"
  | "refundFails"
  | "refundKeeping"
  | "dispute"
  | "win"
  | "lose"
  | "appeal";

/** How the shop hears of what happened before it is looked at. */
type Hears =
  /** Every event arrives, in any order, some twice, `atOnce` at a time. */
  | "told"
  /** No event arrives any more; the shop looks for itself. */
  | "looks";
export type History = {
  hears: Hears;
  atOnce: number;
  order: number;
  retries: "cancel" | "unpaid" | "past_due";
  steps: Step[];
};

type Customer = {
  name: string;
  person: Person;
  isRegistered: boolean;
  /** The end of what was redeemed by the day; null: never any. */
  timedUntil: number | null;
  /** Redeemed a lifetime and has not resumed a subscription since. */
  lifetime: boolean;
  hasTried: boolean;
  /** The sessions whose keys it holds. */
  holds: string[];
  /** Of them, those that it bought itself, be it as a guest. */
  owns: string[];
};
type Bought = {
  session: string;
  who: number;
  id: string;
  isHalved: boolean;
  resumed: boolean;
};

/** What the contract asks of events: https://docs.stripe.com/api/events/types */
const watched: Stripe.EventListParams["types"] = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed",
  "customer.updated",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.payment_action_required",
  "invoice.voided",
  "charge.refunded",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
];

/** No history is longer than three years. */
const mostDays = 3 * 366;

/** A shop with its customers, before anything happened to a subscription. */
export async function beginHistory({ hears, atOnce, order, retries }: Omit<History, "steps">) {
  const stage = await openStage({ webhooks: false });
  // another story covers writing to disk
  await stage.ctx.store.client.execute("PRAGMA synchronous = OFF");
  const { port } = new URL(stage.stripe.url);
  const stripe = new Stripe(stage.stripe.secretKey, { host: "127.0.0.1", port, protocol: "http" });
  await stage.atStripe("retries", { outcome: retries });
  await makeCodes(stripe);
  await sellRecurring(stage);

  const random = seededRandom(order);
  const bought: Bought[] = [];
  const boughtSignedIn = new Set<string>();
  const kept = new Set<string>();
  const lateRefunds = new Map<string, string>();
  let customers: Customer[] = await Promise.all([
    customer(stage, "ann", 30),
    customer(stage, "bob", null),
    customer(stage, "cat", 1),
    customer(stage, "gus"),
    customer(stage, "hal"),
  ]);
  let backup: Customer[] | null = null;
  let daysLeft = mostDays;
  let moneyMoved = false;
  const known = new Set<string>();
  let undelivered: StripeEvent[] = [];
  const delivered: StripeEvent[] = [];

  const now = () => stage.ctx.now().getTime();
  const at = <T>(list: T[], nth: number): T | undefined => list[nth % Math.max(list.length, 1)];
  /** What Stripe refuses, such as resuming what has ended, simply doesn't happen. */
  const tried = async <T>(act: () => Promise<T>): Promise<T | null> => {
    try {
      return await act();
    } catch (error) {
      const isRefusal = error instanceof Stripe.errors.StripeError || error instanceof CheckoutRefused;
      if (isRefusal || (error instanceof Error && /^[\w/]+: \{"error"/.test(error.message))) return null;
      throw error;
    }
  };
  const atStripe = (action: string, body: object) => tried(() => stage.atStripe(action, body));
  const held = () => heldAtStripe(stage);
  const dues = async (): Promise<(Bought & { held: HeldSubscription; due: Due | null })[]> => {
    const all = await held();
    return bought.flatMap((one) => {
      const found = all.get(one.id);
      const about = { ...one, kept, now: Math.floor(now() / 1000) };
      return found ? [{ ...one, held: found, due: dueOf(found, about) }] : [];
    });
  };

  const collect = async () => {
    await stage.stripe.flush();
    const listed = stripe.events.list({ limit: 100, types: watched });
    const fresh: StripeEvent[] = [];
    for await (const event of listed) if (!known.has(event.id)) fresh.push(event as StripeEvent);
    for (const { id } of fresh) known.add(id);
    undelivered.push(...fresh.toReversed());
  };
  const send = async (event: StripeEvent): Promise<boolean> => {
    const isTaken = (await deliver(event, stage.webhookUrl(), stage.stripe.webhookSecret)) === 200;
    if (isTaken) delivered.push(event);
    else undelivered.push(event);
    return isTaken;
  };
  const sendAll = async () => {
    const batch = random.shuffled(undelivered.splice(0));
    const twice = batch.flatMap((event) => (random.whole(0, 4) === 0 ? [event, event] : [event]));
    for (let from = 0; from < twice.length; from += atOnce)
      await Promise.all(twice.slice(from, from + atOnce).map(send));
  };
  /** Does what the shop has still to do, also what failed and is tried again later. */
  const drain = async () => {
    for (let hours = 0; hours < 20; hours += 1) {
      await stage.shop.worker.drain();
      const { rows } = await stage.ctx.store.client.execute(
        "SELECT 1 FROM outbox WHERE topic LIKE 'stripe.%' OR topic LIKE 'subscription.%'",
      );
      if (rows.length === 0) return;
      stage.advance(hour);
    }
    throw new Error("the shop does not come to an end with Stripe");
  };
  /** Stripe lists events for thirty days, so they are read before. */
  const pass = async (days: number) => {
    const all = Math.min(days, daysLeft);
    daysLeft -= all;
    for (let left = all; left > 0; left -= 25) {
      stage.advance(Math.min(left, 25) * day);
      await collect();
    }
  };

  /** Until the shop knows all, and Stripe has heard all that follows. */
  const settle = async () => {
    if (hears === "told") {
      for (let rounds = 0; ; rounds += 1) {
        await collect();
        if (undelivered.length === 0) break;
        if (rounds > 20) throw new Error("Stripe and the shop never come to rest");
        await sendAll();
        await drain();
      }
      return;
    }
    for (let rounds = 0; rounds < 2; rounds += 1) {
      stage.advance(day + minute);
      await stage.stripe.flush();
      for (const { session, who } of bought) {
        const { person } = customers[who] ?? {};
        if (rounds === 0) await person?.get(`/api/stripe/verify-payment?session_id=${session}`);
      }
      await lookAtUnended(stage.ctx, stage.shop.checkout);
      if (moneyMoved) await reconcilePayments(stage.ctx, stage.shop.checkout, { lists: "now" });
      await drain();
    }
    moneyMoved = false;
    await collect();
    undelivered = [];
  };

  const invoiceOf = (one: HeldSubscription, nth: number): HeldInvoice | undefined =>
    at(
      one.invoices.filter(({ status, amount_paid }) => status === "paid" && amount_paid > 0),
      nth,
    );
  const nameAtControl = ({ session }: Bought, { invoice, reason }: HeldInvoice) =>
    reason === "subscription_create" ? session : invoice;

  async function buy({ who: index, offer, code, byDebit }: Step & { does: "buy" }) {
    const who = customers[index % customers.length]!;
    const isTrial = offer === "tried";
    // all have the same card
    if (isTrial && customers.some(({ hasTried }) => hasTried)) return;
    // the shop must know what it refuses for
    if (who.isRegistered) await settle();
    await signIn(who);
    const own = (await dues()).filter(
      (one) => one.who === customers.indexOf(who) && one.held.ended_at === null,
    );
    // a second one, while the first is not paid yet, has stories of its own
    if (who.isRegistered && own.some(({ due }) => due === null)) return;
    const wanted = { currency: "usd", offer, ...(code && !isTrial ? { code } : {}) };
    const opened = await who.person.post("/api/stripe/create-checkout-session", wanted);
    const boughtItself = own.some(({ session }) => who.owns.includes(session));
    const refusal = !who.isRegistered
      ? null
      : who.lifetime
        ? "lifetime_held"
        : boughtItself
          ? "already_subscribed"
          : null;
    if ((opened.body.code ?? null) !== refusal)
      throw new Error(
        `${who.name} was told ${opened.body.code ?? "nothing"} and not ${refusal ?? "nothing"}`,
      );
    if (refusal !== null) return;
    const session: string = opened.body.data.id;
    const debit = byDebit && hears === "looks" && !isTrial;
    await stage.atStripe("pay", {
      session,
      email: `${who.name}@example.com`,
      outcome: debit ? "processing" : "paid",
    });
    const { subscription: id } = await (await fetch(`${stage.stripe.url}/_control/ledger/${session}`)).json();
    who.hasTried ||= isTrial;
    if (who.isRegistered) {
      boughtSignedIn.add(session);
      who.holds.push(session);
      who.owns.push(session);
    }
    bought.push({
      session,
      who: customers.indexOf(who),
      id,
      isHalved: code === "ALWAYS" && !isTrial,
      resumed: false,
    });
  }
  async function signIn({ name, person, isRegistered }: Customer) {
    if (!isRegistered) return;
    if ((await person.get("/api/user/me")).status === 200) return;
    const answer = await person.post("/api/auth/login", { username: name, password });
    if (answer.status !== 200) throw new Error(`${name} can't sign in: ${JSON.stringify(answer.body)}`);
  }

  async function switchTo(one: Bought & { held: HeldSubscription }, offer: Offer) {
    // Stripe carries an amount too small to charge over to the next invoice
    if (one.held.period_end * 1000 - now() < day) return;
    const offers = recurring
      .filter(({ trialDays }) => trialDays === null)
      .map(({ id, name, amount, every, devices }) => ({
        offer: id,
        product: name,
        amount,
        every,
        devices,
        currency: "usd",
      }));
    const wanted = { customerId: one.held.customer, subscription: one.id, flow: "switch" as const };
    const page = await stage.shop.checkout.openPortal({ ...wanted, offers, returnUrl: stage.url.href });
    const shown = await fetch(page ?? "", { redirect: "follow" });
    const action = /<form[^>]+action="([^"]*\/switch\/[^"]*)"/.exec(await shown.text())?.[1];
    const { data } = await stripe.prices.list({ active: true, limit: 100 });
    const price = data.find(({ metadata }) => metadata["offer"] === offer)?.id;
    if (!action || !price) return;
    const body = new URLSearchParams({ price });
    await (await fetch(new URL(action, shown.url), { method: "POST", body, redirect: "manual" })).text();
  }

  async function refundKeeping(one: Bought, invoice: HeldInvoice) {
    const { db } = stage.ctx.store;
    const [payment] = await db
      .select()
      .from(payments)
      .where(eq(payments.sessionId, nameAtControl(one, invoice)));
    if (!payment?.soldAt || invoice.refunded >= invoice.amount_paid || invoice.dispute) return;
    await refundPayment(stage.ctx, stage.shop.checkout, payment, { amount: null, keeps: true, by });
    kept.add(invoice.invoice);
  }

  const billing: Record<
    Exclude<Extract<Step, { which: number }>["does"], "switch" | MoneyBack>,
    (one: Bought & { held: HeldSubscription; due: Due | null }) => Promise<unknown>
  > = {
    fail: ({ id }) => atStripe("card/mood", { subscription: id, mood: "declines" }),
    ask: ({ id }) => atStripe("card/mood", { subscription: id, mood: "asks" }),
    recover: ({ id }) => atStripe("card/mood", { subscription: id, mood: "works" }),
    newCard: ({ held: { customer: id } }) => atStripe("card/new", { customer: id }),
    async payInvoice({ held: { invoices } }) {
      const open = invoices.findLast(({ status }) => status === "open");
      if (open) await atStripe("invoice/pay", { invoice: open.invoice, card: "4242" });
    },
    async voidInvoice({ held: { invoices } }) {
      const open = invoices.findLast(
        ({ status, reason }) => status === "open" && reason !== "subscription_create",
      );
      if (open) await tried(() => stripe.invoices.voidInvoice(open.invoice));
    },
    async debitArrives({ session, held: { invoices } }) {
      const waiting = invoices.find(({ intent_status: status }) => status === "processing");
      if (waiting?.reason === "subscription_create")
        await atStripe("settle", { session, outcome: "succeed" });
      else if (waiting) await atStripe("invoice/settle", { invoice: waiting.invoice, outcome: "succeed" });
    },
    async debitFails({ session, id, held: { invoices } }) {
      const waiting = invoices.find(({ intent_status: status }) => status === "processing");
      if (waiting?.reason === "subscription_create") {
        await atStripe("settle", { session, outcome: "fail" });
        // Stripe lets one that never began expire
        await atStripe("subscription/cancel", { subscription: id });
      } else if (waiting) await atStripe("invoice/settle", { invoice: waiting.invoice, outcome: "fail" });
    },
    cancel: ({ id }) => tried(() => stripe.subscriptions.update(id, { cancel_at_period_end: true })),
    cancelNow: ({ id }) => atStripe("subscription/cancel", { subscription: id, at: "now" }),
    async resume(one) {
      const done = await tried(() => stripe.subscriptions.update(one.id, { cancel_at_period_end: false }));
      const own = bought.find(({ id }) => id === one.id);
      if (done && own) own.resumed = true;
    },
    pause: ({ id }) => atStripe("subscription/pause", { subscription: id }),
    goOn: ({ id }) => atStripe("subscription/resume", { subscription: id }),
    stopCollecting: ({ id }) =>
      tried(() => stripe.subscriptions.update(id, { pause_collection: { behavior: "keep_as_draft" } })),
    voidInvoices: ({ id }) =>
      tried(() => stripe.subscriptions.update(id, { pause_collection: { behavior: "void" } })),
    collect: ({ id }) => tried(() => stripe.subscriptions.update(id, { pause_collection: "" })),
  };

  async function moneyBack(does: MoneyBack, one: Bought & { held: HeldSubscription }, nth: number) {
    const invoice = invoiceOf(one.held, nth);
    if (!invoice) return;
    moneyMoved = true;
    const session = nameAtControl(one, invoice);
    if (does === "refund") await atStripe("refund", { session });
    if (does === "refundPart") await atStripe("refund", { session, amount: 100 });
    if (does === "refundLate") {
      const made = await atStripe("refund", { session, status: "pending" });
      if (made) lateRefunds.set(invoice.invoice, made.id);
    }
    const late = lateRefunds.get(invoice.invoice);
    if (does === "refundFails" && late) await atStripe("refund/move", { refund: late, status: "failed" });
    if (does === "refundKeeping") await refundKeeping(one, invoice);
    if (does === "dispute" && !invoice.dispute)
      await atStripe("dispute", { session, status: "needs_response" });
    if (does === "win" || does === "lose") {
      if (invoice.dispute) await atStripe("dispute", { session, status: does === "win" ? "won" : "lost" });
    }
    if (does === "appeal" && invoice.dispute)
      await atStripe("dispute", { session, status: "appeal_needs_response" });
  }

  async function redeemLifetime(who: Customer) {
    if (!who.isRegistered || who.lifetime) return;
    await settle();
    await signIn(who);
    const key = await stage.handOut();
    const answer = await who.person.post("/api/licenses/redeem", { key, timezone: "UTC" });
    if (answer.status !== 200) throw new Error(`a lifetime was refused: ${JSON.stringify(answer.body)}`);
    who.lifetime = true;
    for (const one of bought) if (who.holds.includes(one.session)) one.resumed = false;
  }

  async function redeemDays(who: Customer) {
    if (!who.isRegistered || who.lifetime) return;
    await settle();
    await signIn(who);
    const renews = (await dues()).some(
      ({ session, due }) =>
        who.holds.includes(session) &&
        due &&
        (due.entitled || ["trialing", "active", "past_due"].includes(due.status)),
    );
    const key = await stage.handOut(30);
    const answer = await who.person.post("/api/licenses/redeem", { key, timezone: "UTC" });
    const refusal = answer.body.code ?? null;
    if (refusal !== (renews ? "subscription_running" : null))
      throw new Error(`days were refused with ${refusal}`);
    if (!renews) who.timedUntil = Math.max(now(), who.timedUntil ?? 0) + 30 * day;
  }

  /** A guest becomes a customer with the key of their newest purchase. */
  async function register(who: Customer) {
    const mine = bought.findLast((one) => customers[one.who] === who);
    if (who.isRegistered || !mine) return;
    await settle();
    const due = (await dues()).find(({ session }) => session === mine.session)?.due;
    const answer = await who.person.register(soldKey(stage.ctx, mine.session), who.name, password);
    if ((answer.status === 200) !== (due?.entitled ?? false))
      throw new Error(
        `registering with ${JSON.stringify(due)} was answered with ${JSON.stringify(answer.body)}`,
      );
    if (answer.status !== 200) return;
    who.isRegistered = true;
    who.holds.push(mine.session);
    who.owns.push(mine.session);
  }

  const shop = {
    async deliver(nth: number) {
      const [event] = undelivered.length > 0 ? undelivered.splice(nth % undelivered.length, 1) : [];
      if (event && !(await send(event))) throw new Error("a webhook was refused");
    },
    async redeliver(nth: number) {
      const event = at(delivered, nth);
      if (event) await deliver(event, stage.webhookUrl(), stage.stripe.webhookSecret);
    },
    async drop(nth: number) {
      if (hears === "looks" && undelivered.length > 0) undelivered.splice(nth % undelivered.length, 1);
    },
    /** Stripe's API fails in the middle of a settlement, and the shop is started anew. */
    async stumble(nth: number) {
      const [event] = undelivered.length > 0 ? undelivered.splice(nth % undelivered.length, 1) : [];
      const fault = nth % 2 === 0 ? { fail: 500 } : { fail: "drop", when: "after" };
      await stage.atStripe("faults", { api: { next: [fault, fault, fault] } });
      if (event) await send(event);
      await stage.shop.worker.drain();
      await stage.atStripe("faults", { api: { next: [] } });
      await stage.restart();
    },
    async backUp() {
      await rm(file("kept.db"), { force: true });
      await stage.ctx.store.client.execute({ sql: "VACUUM INTO ?", args: [file("kept.db")] });
      backup = asTheyAre(customers);
    },
    /** What was sold since is found at Stripe again. */
    async restore() {
      if (!backup) return;
      await stage.restart({
        meanwhile: async () => (await removed(), copyFile(file("kept.db"), file("shop.db"))),
      });
      const signedIn = new Map(customers.map(({ name, person }) => [name, person]));
      customers = asTheyAre(backup).map((one) => ({ ...one, person: signedIn.get(one.name) ?? one.person }));
      for (const { session, who } of bought) {
        const buyer = customers[who];
        if (!buyer || !boughtSignedIn.has(session) || buyer.owns.includes(session)) continue;
        buyer.holds.push(session);
        buyer.owns.push(session);
      }
      await caughtUp();
    },
    restart: () => stage.restart(),
    burst: async () => {
      await Promise.all(undelivered.splice(0).map(send));
    },
    settle,
  };
  const file = (name: string) => join(stage.dataDir, name);
  const removed = () =>
    Promise.all(["", "-wal", "-shm"].map((end) => rm(file(`shop.db${end}`), { force: true })));
  const caughtUp = async () => {
    await syncSubscriptions(stage.ctx, stage.shop.checkout, { by });
    await reconcilePayments(stage.ctx, stage.shop.checkout, { lists: "now" });
  };

  async function live(step: Step): Promise<void> {
    if (step.does === "buy") return buy(step);
    if (step.does === "pass") return pass(step.days);
    if ("nth" in step) return shop[step.does](step.nth);
    if ("who" in step) {
      const who = customers[step.who % customers.length];
      if (who) await { redeemLifetime, redeemDays, register }[step.does](who);
      return;
    }
    if (!("which" in step)) return shop[step.does]();
    await stage.stripe.flush();
    const all = await dues();
    if ("invoice" in step) {
      const one = at(all, step.which);
      return one && moneyBack(step.does, one, step.invoice);
    }
    const one = at(
      all.filter(({ held: { ended_at: ended } }) => ended === null),
      step.which,
    );
    if (!one) return;
    if (step.does === "switch") await tried(() => switchTo(one, step.offer));
    else await billing[step.does](one);
  }

  // a shop looks for itself from its first day on
  await reconcilePayments(stage.ctx, stage.shop.checkout, { lists: "now" });
  return {
    stage,
    bought,
    dues,
    settle,
    signIn,
    get customers() {
      return customers;
    },
    async live(step: Step) {
      await live(step);
      await collect();
    },
    /** The shop lost everything and reads Stripe. */
    async loseEverything() {
      const meanwhile = async () => (await removed(), rm(file(".created"), { force: true }));
      await stage.restart({ meanwhile, isNew: true });
      await sellRecurring(stage);
      await syncSubscriptions(stage.ctx, stage.shop.checkout, { by });
      await stage.shop.worker.drain();
    },
  };
}

const asTheyAre = (customers: Customer[]): Customer[] =>
  customers.map((one) => ({ ...one, holds: [...one.holds], owns: [...one.owns] }));

/** Registered with a key for so many days, for life with null; a guest without. */
async function customer(stage: Stage, name: string, days?: number | null): Promise<Customer> {
  const person = stage.person();
  const isRegistered = days !== undefined;
  if (isRegistered) await person.register(await stage.handOut(days), name, password);
  const timedUntil = typeof days === "number" ? stage.ctx.now().getTime() + days * day : null;
  return {
    name,
    person,
    isRegistered,
    timedUntil,
    lifetime: days === null,
    hasTried: false,
    holds: [],
    owns: [],
  };
}

async function sellRecurring(stage: Stage) {
  for (const offer of recurring) await addOffer(stage.ctx, { ...offer, days: null }, by);
}

async function makeCodes(stripe: Stripe) {
  for (const [code, duration] of [
    ["ALWAYS", "forever"],
    ["ONCE", "once"],
  ] as const) {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 50, duration });
    await stripe.promotionCodes.create({ code, promotion: { type: "coupon", coupon } });
  }
}
