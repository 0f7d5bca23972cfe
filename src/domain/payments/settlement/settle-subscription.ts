import { eq } from "drizzle-orm";
import { commit, retryOnConflict, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { shopTopics } from "../../outbox-topics";
import { reportOnce } from "../../notices/report-once";
import { type Licence, licences } from "../../schema/licences";
import { offers } from "../../schema/offers";
import { isRenewal, type Payment, payments } from "../../schema/payments";
import type { Subscription } from "../../schema/subscriptions";
import type { CheckoutGateway } from "../port/stripe";
import { serialQueue } from "../port/serial-queue";
import { settlePayment } from "./settle-payment";
import { storeSubscription } from "./store-subscription";
import { changesPausedUntil } from "./paused-changes";
import { paymentsOfSubscription, subscriptionOf } from "../reading/subscriptions";
import { nextAmountOf } from "../state/next-charge";
import type { Ladder } from "../../levels/ladder";
import { ladderOf } from "../../levels/list";
import { billedBy, givenBy, hasLevel } from "../state/seats";
import { shopFactsOf } from "./shop-facts";
import { oddities, subscriptionState } from "../state/subscription-state";
import type { PriceFacts, SubscriptionFacts } from "../port/subscription-gateway";
import { changesNothing, type DesiredChanges, desiredChanges } from "../state/desired-changes";

/** The result of a check: our subscription, and what has to change at Stripe. No row before anything was paid. */
export type SubscriptionCheck = {
  row: Subscription | null;
  first: Payment;
  facts: SubscriptionFacts;
  wanted: DesiredChanges;
};

/**
 * Brings a subscription, its payments and its licence to what Stripe holds now, and enqueues the changes to make at
 * Stripe. Webhooks, the result page, the daily check and `shop subscriptions sync` all come here, in any order, any number
 * of times. Resolves to null if this shop did not sell the subscription, or nothing of it yet.
 */
export async function settleSubscription(
  ctx: Ctx,
  gateway: CheckoutGateway,
  stripeId: string,
): Promise<Subscription | null> {
  const check = await checkSubscription(ctx, gateway, stripeId);
  if (check && !changesNothing(check.wanted) && (await changesPausedUntil(ctx)) === null) {
    await commit(ctx.store, [enqueue(ctx, { topic: shopTopics.agreeWithStripe, subject: stripeId })]);
  }
  return check?.row ?? subscriptionOf(ctx, { subscription: stripeId });
}

/** Settles a subscription as {@link settleSubscription} does, and returns the changes to make. One check at a time. */
export const checkSubscription = (
  ctx: Ctx,
  gateway: CheckoutGateway,
  stripeId: string,
): Promise<SubscriptionCheck | null> =>
  queue(ctx.store, stripeId, {}, () => retryOnConflict(() => checkNow(ctx, gateway, stripeId)));

const queue = serialQueue<SubscriptionCheck | null>();

async function checkNow(
  ctx: Ctx,
  gateway: CheckoutGateway,
  stripeId: string,
): Promise<SubscriptionCheck | null> {
  if (!(await isOurs(ctx, gateway, stripeId))) return null;
  // our row first: a settlement that ends meanwhile makes this commit fail, whose answer may be older
  const held = await subscriptionOf(ctx, { subscription: stripeId });
  const facts = await gateway.readSubscription(stripeId, held?.item ?? null);
  const known = facts && (await withFirst(ctx, gateway, stripeId));
  const first = known?.find((one) => !isRenewal(one));
  if (!facts || !known || !first) return null;
  const state = subscriptionState(facts, ctx.now());
  const priceOf = priceReader(gateway, facts);
  const settled = await takeInInvoices(ctx, gateway, { facts, first, held, known, priceOf });
  const all = withPeriods(settled ? await paymentsOfSubscription(ctx, stripeId) : known, facts);
  const licence = await licenceOf(ctx, first.id);
  const ladder = await ladderOf(ctx);
  const billed = await billedBy({ facts, first, ladder, priceOf, now: ctx.now() });
  const given = licence ? givenBy(ladder, licence, billed) : { level: billed.level, devices: billed.devices };
  const shop = await shopFactsOf(ctx, { held, facts, first, payments: all, licence, given, ladder });
  const wanted = desiredChanges(facts, state, shop, ctx.now());
  if (first.soldAt === null || state.status === "pending") return { row: held, first, facts, wanted };
  await reportOddities(ctx, facts, { first, ladder });
  const row = await storeSubscription(ctx, {
    held,
    facts,
    first,
    licence,
    paid: all.filter(({ soldAt }) => soldAt !== null),
    state,
    nextAmount: state.renewsAt && (await nextAmountOf(ctx, gateway, facts)),
    billed,
    given,
    wanted,
    shop,
  });
  return { row, first, facts, wanted };
}

async function licenceOf({ store }: Ctx, paymentId: string): Promise<Licence | null> {
  const [found] = await store.db.select().from(licences).where(eq(licences.primaryPaymentId, paymentId));
  return found ?? null;
}

/** Reads each price once; a subscription's present one is known. */
function priceReader(gateway: CheckoutGateway, { price }: SubscriptionFacts) {
  const read = new Map<string, Promise<PriceFacts | null>>();
  if (price) read.set(price.id, Promise.resolve(price));
  return (id: string) => {
    const found = read.get(id) ?? gateway.readPrice(id);
    read.set(id, found);
    return found;
  };
}

async function reportOddities(
  ctx: Ctx,
  facts: SubscriptionFacts,
  { first, ladder }: { first: Payment; ladder: Ladder },
): Promise<void> {
  const { price } = facts;
  const unknown =
    price && !hasLevel(ladder, price)
      ? [`has a price of the level “${price.level.id}”, which the shop lacks`]
      : [];
  for (const oddity of [...oddities(facts, ctx.now()), ...unknown]) {
    const sentence = `The subscription ${facts.id} ${oddity}: look at it in Stripe's dashboard.`;
    await reportOnce(ctx, `subscription ${first.id} ${oddity}`, { kind: "trouble", sentence });
  }
}

/** With the periods of the subscription's own item, which other items' lines don't move. */
const withPeriods = (all: Payment[], { invoices }: SubscriptionFacts): Payment[] =>
  all.map((one) => {
    const its = invoices.find(({ id, isFirst }) => (isRenewal(one) ? id === one.sessionId : isFirst));
    return its ? { ...one, periodEndsAt: its.periodEndsAt } : one;
  });

/**
 * Whether this shop sold it: its first payment is found at Stripe if we don't hold it. Nothing else is asked about what
 * another shop sold on the same account, which may need permissions that this one doesn't.
 */
async function isOurs(ctx: Ctx, gateway: CheckoutGateway, stripeId: string): Promise<boolean> {
  if ((await paymentsOfSubscription(ctx, stripeId)).some((one) => !isRenewal(one))) return true;
  const session = await gateway.sessionOfSubscription(stripeId);
  return session !== null && (await settlePayment(ctx, gateway, session, {})) !== null;
}

/** The payments of a subscription; the first is settled while nothing was sold. */
async function withFirst(ctx: Ctx, gateway: CheckoutGateway, stripeId: string): Promise<Payment[]> {
  const known = await paymentsOfSubscription(ctx, stripeId);
  const first = known.find((one) => !isRenewal(one));
  if (first === undefined || first.soldAt !== null) return known;
  await settlePayment(ctx, gateway, first.sessionId, {});
  return paymentsOfSubscription(ctx, stripeId);
}

type PriceReader = ReturnType<typeof priceReader>;
type SubscriptionContext = { facts: SubscriptionFacts; first: Payment; held: Subscription | null };

/** Makes a payment of each invoice that has none yet, and settles it. Whether any was settled. */
async function takeInInvoices(
  ctx: Ctx,
  gateway: CheckoutGateway,
  { known, priceOf, ...owner }: SubscriptionContext & { known: Payment[]; priceOf: PriceReader },
): Promise<boolean> {
  const { facts, first } = owner;
  const payments = new Map(known.map((one) => [one.sessionId, one]));
  const unsettled = facts.invoices.filter(({ id, isFirst, status }) => {
    const payment = payments.get(id);
    if (isFirst || status === "draft" || payment?.soldAt || payment?.state === "expired") return false;
    // for a subscription that never began, only what was paid; otherwise not what was voided before we saw it
    return first.soldAt === null ? status === "paid" : payment !== undefined || status !== "void";
  });
  for (const { id, price: itsPrice, isSwitch, createdAt } of unsettled) {
    if (!payments.has(id)) {
      const price = (itsPrice === null ? null : await priceOf(itsPrice)) ?? facts.price;
      const product = await productOf(ctx, first, price);
      await commit(ctx.store, [renewal(ctx, owner, price, { product, invoice: id, isSwitch, createdAt })]);
    }
    await settlePayment(ctx, gateway, id, {});
  }
  return unsettled.length > 0;
}

/** The product's name: after a switch, that of the new offer. */
async function productOf(
  { store: { db } }: Ctx,
  first: Payment,
  price: PriceFacts | null,
): Promise<string | null> {
  if (price === null || price.offer === first.offer) return first.product;
  const [offer] = await db.select({ name: offers.name }).from(offers).where(eq(offers.id, price.offer));
  return offer?.name ?? first.product;
}

const renewal = (
  { store: { db } }: Ctx,
  { facts, first, held }: SubscriptionContext,
  price: PriceFacts | null,
  { invoice, ...own }: Pick<Payment, "product" | "isSwitch" | "createdAt"> & { invoice: string },
): Write =>
  db
    .insert(payments)
    .values({
      id: newId(),
      sessionId: invoice,
      subscription: facts.id,
      state: "open",
      sealVersion: first.sealVersion,
      offer: price?.offer ?? held?.offer ?? first.offer,
      level: price?.level.id ?? first.level,
      levelName: price?.level.name ?? first.levelName,
      devices: price?.devices ?? first.devices,
      every: price?.every ?? first.every,
      unitAmount: price?.amount ?? first.unitAmount,
      currency: price?.currency ?? first.currency,
      livemode: facts.livemode,
      // who bought it signed in, or redeemed its key in the buying browser
      accountId: held?.accountId ?? first.accountId,
      email: first.email,
      unusualEmailKey: first.unusualEmailKey,
      ...own,
    })
    .onConflictDoNothing();
