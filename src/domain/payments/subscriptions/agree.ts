import { and, eq } from "drizzle-orm";
import { day, hour } from "@/contract/vocabulary/time";
import { actorId, theShop } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { withoutIndex } from "@/core/database/without-index";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { Handler } from "@/core/jobs/job-handlers";
import { reasonOf } from "@/core/log/log";
import { enqueue } from "@/core/jobs/outbox";
import { restoredCopy } from "@/core/database/restored-copy";
import { tokenHash } from "@/core/secrets/secrets";
import { notice } from "../../notice";
import { shopTopics } from "../../outbox-topics";
import { type Payment, payments } from "../../schema/payments";
import { type Refund, refunds } from "../../schema/refunds";
import { subscriptions } from "../../schema/subscriptions";
import { type CheckoutGateway, CheckoutRefused } from "../port/stripe";
import { changesPausedUntil } from "../settlement/paused-changes";
import { type SubscriptionCheck, checkSubscription } from "../settlement/settle-subscription";
import { subscriptionState } from "../state/subscription-state";
import { endOfPaid, changesNothing, isPayable, type DesiredChanges } from "../state/desired-changes";

/**
 * The outbox handler that makes Stripe agree with what a subscription should be. It checks first, so that a job that waited
 * does only what is still wanted. What Stripe refuses is tried again at the next check.
 */
export const agreeWithStripe =
  (ctx: Ctx, gateway: CheckoutGateway): Handler<typeof shopTopics.agreeWithStripe> =>
  async ({ subject: stripeId }) => {
    if ((await restoredCopy(ctx)) || (await changesPausedUntil(ctx))) return [];
    const check = await checkSubscription(ctx, gateway, stripeId);
    if (!check || changesNothing(check.wanted)) return [];
    await carryOut(ctx, gateway, check);
    await checkSubscription(ctx, gateway, stripeId);
    return [];
  };

async function carryOut(
  ctx: Ctx,
  gateway: CheckoutGateway,
  { first, facts, wanted }: SubscriptionCheck,
): Promise<void> {
  const { end, voids, refunds: dueRefunds, charge } = wanted;
  // committed before the calls to Stripe: a failing call must not hold up refunds, and after a successful one the
  // reason is lost
  await commit(ctx.store, [
    ...(await Promise.all(dueRefunds.map((one) => refundWrites(ctx, one)))).flat(),
    ...(end ? [cancelledEntry(ctx, first, end)] : []),
  ]);
  if (end) await gateway.cancelSubscription(facts.id, end.at);
  for (const invoice of voids) await gateway.voidInvoice(invoice);
  if (charge) await chargeNewCard(ctx, gateway, { id: facts.id, ...charge });
}

const cancelledEntry = (
  ctx: Ctx,
  { accountId, id: subject }: Payment,
  { at, reason }: NonNullable<DesiredChanges["end"]>,
): Write =>
  record(ctx, {
    actor: theShop,
    action: "subscription.cancelled",
    subject,
    accountId,
    detail: { when: at === "now" ? "now" : "period_end", reason },
  });

type NewCard = { id: string } & NonNullable<DesiredChanges["charge"]>;

/** A card that Stripe refuses is not tried again. */
async function chargeNewCard(ctx: Ctx, gateway: CheckoutGateway, wanted: NewCard): Promise<void> {
  try {
    await gateway.chargeToCard(wanted);
  } catch (error) {
    if (!(error instanceof CheckoutRefused)) throw error;
    ctx.log.warn("a subscription could not be charged to a new card", { reason: reasonOf(error) });
    const { db } = ctx.store;
    await commit(ctx.store, [
      db.update(subscriptions).set({ generalCard: wanted.card }).where(eq(subscriptions.stripeId, wanted.id)),
    ]);
  }
}

/** A refund that Stripe refused is retried a day later. */
const retryMilliseconds = day;
/** A refund that was made shows in what is left once its payment is settled. */
const settledMilliseconds = hour;

/** Refunds what is left of a payment, one refund at a time, however often the payment is found. */
async function refundWrites(
  ctx: Ctx,
  { payment: paymentId, amount }: DesiredChanges["refunds"][number],
): Promise<Write[]> {
  const by = actorId(theShop);
  const earlier = await ctx.store.db
    .select()
    .from(refunds)
    .where(and(eq(refunds.paymentId, paymentId), withoutIndex(eq(refunds.askedBy, by))));
  const now = ctx.now();
  const isRecent = ({ createdAt }: Refund, milliseconds: number) =>
    createdAt.getTime() > now.getTime() - milliseconds;
  const waits = earlier.some(
    (one) =>
      one.state === "approved" ||
      isRecent(one, one.state === "made" ? settledMilliseconds : retryMilliseconds),
  );
  if (waits) return [];
  const attempt = earlier.length;
  const id = tokenHash(JSON.stringify([paymentId, attempt, "given back by the shop"])).slice(0, 36);
  const asked = { id, paymentId, amount, attempt, request: id, askedBy: by, createdAt: now };
  return [
    ctx.store.db
      .insert(refunds)
      .values({
        ...asked,
        reason: "Nothing was due.",
        state: "approved",
        decidedBy: by,
        decidedAt: now,
      })
      .onConflictDoNothing(),
    enqueue(ctx, { topic: shopTopics.makeRefund, subject: id }),
    ...notice(ctx, `${paymentId}:given back`, {
      kind: "trouble",
      what: "paid for a subscription that was not to run, given back",
    }),
  ];
}

/** Ends a subscription at Stripe at once, and voids what is owed for it. Throws `CheckoutUnreachable`. */
export async function endAtStripe(gateway: CheckoutGateway, stripeId: string): Promise<void> {
  await gateway.cancelSubscription(stripeId, "now");
  const facts = await gateway.readSubscription(stripeId, null);
  for (const { id } of facts?.invoices.filter(isPayable) ?? []) await gateway.voidInvoice(id);
}

/** Ends a subscription when what is paid runs out, or now if nothing is. Throws `CheckoutUnreachable`. */
export async function endWhenUsedUp(ctx: Ctx, gateway: CheckoutGateway, stripeId: string): Promise<void> {
  const facts = await gateway.readSubscription(stripeId, null);
  if (!facts) return;
  const now = ctx.now();
  await gateway.cancelSubscription(stripeId, endOfPaid(facts, subscriptionState(facts, now), now));
}

/** The outbox handler that takes an order's corrected address to Stripe, unless its customer chose another there. */
export const correctBilling =
  (ctx: Ctx, gateway: CheckoutGateway): Handler<typeof shopTopics.correctBilling> =>
  async ({ subject, payload: { former } }) => {
    const [order] = await ctx.store.db.select().from(payments).where(eq(payments.id, subject));
    if (!order?.email || !order.subscription) return [];
    const wanted = { subscription: order.subscription, former, email: order.email };
    await gateway.correctBilling(wanted).catch((error: unknown) => {
      if (!(error instanceof CheckoutRefused)) throw error;
      ctx.log.warn("Stripe refused an order's corrected address", { reason: reasonOf(error) });
    });
    return [];
  };
