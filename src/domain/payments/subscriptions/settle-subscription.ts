import { desc, eq } from "drizzle-orm";
import { commit, type Write } from "@/core/commit";
import { retryOnConflict } from "@/core/conflict";
import { type Ctx, newId } from "@/core/context";
import { reasonOf } from "@/core/log";
import { isRenewal, type Payment, payments } from "../../schema/payments";
import { offers } from "../../schema/offers";
import type { Subscription } from "../../schema/subscriptions";
import { CheckoutForbidden, type CheckoutGateway, CheckoutRefused } from "../checkout/checkout";
import { follow } from "./follow";
import { subscriptionOf } from "./list";
import type { SubscriptionFacts } from "./subscription-gateway";

/** How a payment is settled; `settle` itself would look at the subscription again. */
type SettlePayment = (sessionId: string) => Promise<Payment | null>;

/**
 * Brings a subscription, its payments and its licence to what Stripe holds now. Webhooks, the result page, the daily
 * look and `shop subscriptions sync` all come here, in any order, any number of times. Resolves to null if this shop
 * did not sell the subscription.
 */
export const settleSubscription = (
  ctx: Ctx,
  gateway: CheckoutGateway,
  { stripeId, settlePayment }: { stripeId: string; settlePayment: SettlePayment },
): Promise<Subscription | null> =>
  retryOnConflict(async () => {
    // our row first: a settlement that ends meanwhile makes this commit fail, whose answer may be older
    const held = await subscriptionOf(ctx, { subscription: stripeId });
    const facts = await readWithNewCard(ctx, gateway, stripeId);
    if (!facts?.isMarked) return held;
    const first = await firstPayment(ctx, stripeId, async () => {
      const session = await gateway.sessionOfSubscription(stripeId);
      if (session) await settlePayment(session);
    });
    if (!first?.soldAt) return held;
    await takeInInvoices(ctx, { facts, first, accountId: held?.accountId ?? first.accountId, settlePayment });
    const paid = (await paymentsOf(ctx, stripeId)).filter(({ soldAt }) => soldAt !== null);
    return follow(ctx, { held, facts, first, paid });
  });

/** Makes a customer's new default card the subscription's, as they expect when they update it. */
async function readWithNewCard(
  ctx: Ctx,
  gateway: CheckoutGateway,
  stripeId: string,
): Promise<SubscriptionFacts | null> {
  const facts = await gateway.readSubscription(stripeId);
  if (!facts?.isMarked || facts.newCard === null || facts.endedAt !== null) return facts;
  try {
    await gateway.chargeTo(stripeId, facts.newCard);
  } catch (error) {
    if (!(error instanceof CheckoutRefused || error instanceof CheckoutForbidden)) throw error;
    // its payments are recorded all the same
    ctx.log.warn("a subscription could not be charged to a new card", { reason: reasonOf(error) });
    return facts;
  }
  return gateway.readSubscription(stripeId);
}

/** The payment that began it, found at Stripe if we don't hold it. */
async function firstPayment(ctx: Ctx, stripeId: string, find: () => Promise<void>): Promise<Payment | null> {
  const held = async () => (await paymentsOf(ctx, stripeId)).find((one) => !isRenewal(one)) ?? null;
  const known = await held();
  if (known) return known;
  await find();
  return held();
}

/** The payments of a subscription, newest period first. */
const paymentsOf = ({ store }: Ctx, stripeId: string): Promise<Payment[]> =>
  store.db
    .select()
    .from(payments)
    .where(eq(payments.subscription, stripeId))
    .orderBy(desc(payments.periodEndsAt));

/** Makes a payment of each invoice that has none yet, and settles it. */
async function takeInInvoices(
  ctx: Ctx,
  {
    settlePayment,
    ...renewed
  }: Omit<Renewed, "product" | "invoice" | "createdAt"> & { settlePayment: SettlePayment },
): Promise<void> {
  const { facts, first } = renewed;
  const held = new Map((await paymentsOf(ctx, facts.id)).map((one) => [one.sessionId, one]));
  const product = await productOf(ctx, facts, first);
  for (const { id, isFirst, isCollected, createdAt } of facts.invoices) {
    const known = held.get(id);
    // an invoice that was voided before we saw it leaves nothing to record
    if (isFirst || known?.soldAt || known?.state === "expired" || (!known && !isCollected)) continue;
    if (!known) await commit(ctx.store, [renewal(ctx, { ...renewed, product, invoice: id, createdAt })]);
    await settlePayment(id);
  }
}

/** The product's name: after a switch, that of the new offer. */
async function productOf(
  { store: { db } }: Ctx,
  { price }: SubscriptionFacts,
  first: Payment,
): Promise<string | null> {
  if (price === null || price.offer === first.offer) return first.product;
  const [offer] = await db.select({ name: offers.name }).from(offers).where(eq(offers.id, price.offer));
  return offer?.name ?? first.product;
}

type Renewed = {
  facts: SubscriptionFacts;
  first: Payment;
  /** Who bought it, or redeemed its key under the buyer's address. */
  accountId: string | null;
  product: string | null;
  invoice: string;
  createdAt: Date;
};

const renewal = (
  { store: { db } }: Ctx,
  { facts, first, accountId, product, invoice, createdAt }: Renewed,
): Write =>
  db
    .insert(payments)
    .values({
      id: newId(),
      sessionId: invoice,
      subscription: facts.id,
      state: "open",
      sealVersion: first.sealVersion,
      offer: facts.price?.offer ?? first.offer,
      product,
      devices: first.devices,
      every: facts.price?.every ?? first.every,
      unitAmount: facts.price?.amount ?? first.unitAmount,
      currency: facts.price?.currency ?? first.currency,
      livemode: facts.livemode,
      accountId,
      email: first.email,
      unusualEmailKey: first.unusualEmailKey,
      createdAt,
    })
    .onConflictDoNothing();
