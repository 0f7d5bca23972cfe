import { desc, eq } from "drizzle-orm";
import { commit, type Write } from "@/core/commit";
import { retryOnConflict } from "@/core/conflict";
import { type Ctx, newId } from "@/core/context";
import { enqueue } from "@/core/outbox";
import { shopTopics } from "@/core/outbox-topics";
import { reportOnce } from "../../notices/report-once";
import { offers } from "../../schema/offers";
import { isRenewal, type Payment, payments } from "../../schema/payments";
import type { Subscription } from "../../schema/subscriptions";
import type { CheckoutGateway } from "../checkout/checkout";
import { serialQueue } from "../settle/serial-queue";
import { settlePayment } from "../settle/settle-payment";
import { follow } from "./follow";
import { heldBack } from "./holding-back";
import { subscriptionOf } from "./list";
import { nextAmountOf } from "./next-charge";
import { devicesBilled } from "./places";
import { shopFactsOf } from "./shop-facts";
import { oddities, type Standing, standingOf } from "./standing";
import type { InvoiceFacts, SubscriptionFacts } from "./subscription-gateway";
import { isNothing, type Wanted, wantedAt } from "./wanted";

/** A subscription of ours as it is after a look, and what of Stripe's is to change; no row before anything was paid. */
export type Look = {
  row: Subscription | null;
  first: Payment;
  facts: SubscriptionFacts;
  standing: Standing;
  wanted: Wanted;
};

/**
 * Brings a subscription, its payments and its licence to what Stripe holds now, and enqueues what of Stripe's is to
 * change. Webhooks, the result page, the daily look and `shop subscriptions sync` all come here, in any order, any number
 * of times. Resolves to null if this shop did not sell the subscription, or nothing of it yet.
 */
export async function settleSubscription(
  ctx: Ctx,
  gateway: CheckoutGateway,
  stripeId: string,
): Promise<Subscription | null> {
  const look = await lookAt(ctx, gateway, stripeId);
  if (look && !isNothing(look.wanted) && (await heldBack(ctx)) === null) {
    await commit(ctx.store, [enqueue(ctx, { topic: shopTopics.agreeWithStripe, subject: stripeId })]);
  }
  return look?.row ?? subscriptionOf(ctx, { subscription: stripeId });
}

/** Settles a subscription as {@link settleSubscription} does, and says what is to change. One look at a time, like a session. */
export const lookAt = (ctx: Ctx, gateway: CheckoutGateway, stripeId: string): Promise<Look | null> =>
  queue(ctx.store, stripeId, {}, () => retryOnConflict(() => lookNow(ctx, gateway, stripeId)));

const queue = serialQueue<Look | null>();

async function lookNow(ctx: Ctx, gateway: CheckoutGateway, stripeId: string): Promise<Look | null> {
  // our row first: a settlement that ends meanwhile makes this commit fail, whose answer may be older
  const held = await subscriptionOf(ctx, { subscription: stripeId });
  const facts = await gateway.readSubscription(stripeId, held?.item ?? null);
  const first = facts && (await firstPayment(ctx, gateway, facts));
  if (!facts || !first) return null;
  const standing = standingOf(facts, ctx.now());
  // also what was paid later for one that began nothing, to be given back
  if (first.soldAt !== null || facts.invoices.some(isPaidLater))
    await takeInInvoices(ctx, gateway, { facts, first, held });
  const all = withPeriods(await paymentsOf(ctx, stripeId), facts);
  const shop = await shopFactsOf(ctx, { held, facts, first, payments: all });
  const wanted = wantedAt(facts, standing, shop, ctx.now());
  if (first.soldAt === null || standing.status === "pending")
    return { row: held, first, facts, standing, wanted };
  const nextAmount = standing.renewsAt && (await nextAmountOf(ctx, gateway, facts));
  const paid = all.filter(({ soldAt }) => soldAt !== null);
  const devices = await devicesBilled(ctx, { held, first, facts });
  for (const oddity of oddities(facts, ctx.now())) {
    const sentence = `The subscription ${facts.id} ${oddity}: look at it in Stripe's dashboard.`;
    await reportOnce(ctx, `subscription ${first.id} ${oddity}`, { kind: "trouble", sentence });
  }
  const row = await follow(ctx, { held, facts, first, paid, standing, nextAmount, devices, wanted, shop });
  return { row, first, facts, standing, wanted };
}

/** With the periods of the subscription's own item, which other items' lines don't move. */
const withPeriods = (all: Payment[], { invoices }: SubscriptionFacts): Payment[] =>
  all.map((one) => {
    const its = invoices.find(({ id, isFirst }) => (isRenewal(one) ? id === one.sessionId : isFirst));
    return { ...one, periodEndsAt: its?.periodEndsAt ?? one.periodEndsAt };
  });

const isPaidLater = ({ isFirst, status }: InvoiceFacts) => !isFirst && status === "paid";

/** The payment that began it, found at Stripe if we don't hold it, and settled while nothing was sold. */
async function firstPayment(
  ctx: Ctx,
  gateway: CheckoutGateway,
  { id, isMarked }: SubscriptionFacts,
): Promise<Payment | null> {
  const held = async () => (await paymentsOf(ctx, id)).find((one) => !isRenewal(one)) ?? null;
  const known = await held();
  if (known?.soldAt) return known;
  const session = known?.sessionId ?? (isMarked ? await gateway.sessionOfSubscription(id) : null);
  if (session === null) return null;
  await settlePayment(ctx, gateway, session, {});
  return held();
}

/** The payments of a subscription, newest period first. */
const paymentsOf = ({ store }: Ctx, stripeId: string): Promise<Payment[]> =>
  store.db
    .select()
    .from(payments)
    .where(eq(payments.subscription, stripeId))
    .orderBy(desc(payments.periodEndsAt));

type Owner = { facts: SubscriptionFacts; first: Payment; held: Subscription | null };

/** Makes a payment of each invoice that has none yet, and settles it. */
async function takeInInvoices(ctx: Ctx, gateway: CheckoutGateway, owner: Owner): Promise<void> {
  const { facts } = owner;
  const known = new Map((await paymentsOf(ctx, facts.id)).map((one) => [one.sessionId, one]));
  const product = await productOf(ctx, owner);
  for (const { id, isFirst, isSwitch, status, createdAt } of facts.invoices) {
    const payment = known.get(id);
    // one that was voided before we saw it leaves nothing to record
    const leavesNothing = status === "draft" || (!payment && status === "void");
    if (isFirst || leavesNothing || payment?.soldAt || payment?.state === "expired") continue;
    if (!payment)
      await commit(ctx.store, [renewal(ctx, owner, { product, invoice: id, isSwitch, createdAt })]);
    await settlePayment(ctx, gateway, id, {});
  }
}

/** The product's name: after a switch, that of the new offer. */
async function productOf({ store: { db } }: Ctx, { facts: { price }, first }: Owner): Promise<string | null> {
  if (price === null || price.offer === first.offer) return first.product;
  const [offer] = await db.select({ name: offers.name }).from(offers).where(eq(offers.id, price.offer));
  return offer?.name ?? first.product;
}

const renewal = (
  { store: { db } }: Ctx,
  { facts, first, held }: Owner,
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
      offer: facts.price?.offer ?? held?.offer ?? first.offer,
      devices: first.devices,
      every: facts.price?.every ?? first.every,
      unitAmount: facts.price?.amount ?? first.unitAmount,
      currency: facts.price?.currency ?? first.currency,
      livemode: facts.livemode,
      // who bought it signed in, or redeemed its key in the buying browser
      accountId: held?.accountId ?? first.accountId,
      email: first.email,
      unusualEmailKey: first.unusualEmailKey,
      ...own,
    })
    .onConflictDoNothing();
