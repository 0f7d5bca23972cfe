import { eq } from "drizzle-orm";
import { actorId, theShop } from "@/core/actor";
import { record } from "@/core/audit";
import { commit, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import type { Handler } from "@/core/job-handlers";
import { reasonOf } from "@/core/log";
import { notice } from "@/core/notice";
import { enqueue } from "@/core/outbox";
import { shopTopics } from "@/core/outbox-topics";
import { restoredCopy } from "@/core/restored-copy";
import { tokenHash } from "@/core/secrets";
import { refunds } from "../../schema/refunds";
import { subscriptions } from "../../schema/subscriptions";
import { CheckoutForbidden, type CheckoutGateway, CheckoutRefused } from "../checkout/checkout";
import { heldBack } from "./holding-back";
import { lookAt, type Look } from "./settle-subscription";
import { standingOf } from "./standing";
import { endOfPaid, isNothing, isPayable, type Wanted } from "./wanted";

/**
 * The outbox handler that makes Stripe agree with what a subscription should be. It looks anew, so that a job that waited
 * does only what is still wanted; what Stripe refuses is tried again at the next look.
 */
export const agreeWithStripe =
  (ctx: Ctx, gateway: CheckoutGateway): Handler<typeof shopTopics.agreeWithStripe> =>
  async ({ subject: stripeId }) => {
    if ((await restoredCopy(ctx)) || (await heldBack(ctx))) return [];
    const look = await lookAt(ctx, gateway, stripeId);
    if (!look || isNothing(look.wanted)) return [];
    await carryOut(ctx, gateway, look);
    await lookAt(ctx, gateway, stripeId);
    return [];
  };

async function carryOut(ctx: Ctx, gateway: CheckoutGateway, { first, facts, wanted }: Look): Promise<void> {
  const { end, voids, giveBack, charge } = wanted;
  if (end) await gateway.cancelSubscription(facts.id, end.at);
  for (const invoice of voids) await gateway.voidInvoice(invoice);
  if (charge) await chargeTo(ctx, gateway, { id: facts.id, ...charge });
  const { accountId, id: subject } = first;
  await commit(ctx.store, [
    ...(end
      ? [
          record(ctx, {
            actor: theShop,
            action: "subscription.cancelled",
            subject,
            accountId,
            detail: { when: end.at === "now" ? "now" : "period_end", reason: end.reason },
          }),
        ]
      : []),
    ...(await Promise.all(giveBack.map((one) => refundWrites(ctx, one)))).flat(),
  ]);
}

type NewCard = { id: string } & NonNullable<Wanted["charge"]>;

/** A card that Stripe refuses is not tried again. */
async function chargeTo(ctx: Ctx, gateway: CheckoutGateway, wanted: NewCard): Promise<void> {
  try {
    await gateway.chargeTo(wanted);
  } catch (error) {
    if (!(error instanceof CheckoutRefused || error instanceof CheckoutForbidden)) throw error;
    ctx.log.warn("a subscription could not be charged to a new card", { reason: reasonOf(error) });
    const { db } = ctx.store;
    await commit(ctx.store, [
      db.update(subscriptions).set({ generalCard: wanted.card }).where(eq(subscriptions.stripeId, wanted.id)),
    ]);
  }
}

/** One refund of what is left of a payment, however often it is found. */
async function refundWrites(
  ctx: Ctx,
  { payment: paymentId, amount }: Wanted["giveBack"][number],
): Promise<Write[]> {
  const id = tokenHash(JSON.stringify([paymentId, amount, "given back by the shop"])).slice(0, 36);
  const known = await ctx.store.db.select({ id: refunds.id }).from(refunds).where(eq(refunds.id, id));
  if (known.length > 0) return [];
  const now = ctx.now();
  const by = actorId(theShop);
  const asked = { id, paymentId, amount, request: id, askedBy: by, createdAt: now };
  return [
    ctx.store.db
      .insert(refunds)
      .values({
        ...asked,
        reason: "Nothing was to be paid.",
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
  await gateway.cancelSubscription(stripeId, endOfPaid(facts, standingOf(facts, now), now));
}
