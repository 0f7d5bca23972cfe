import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { addressKey } from "@/contract/addresses";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import type { accounts } from "../../schema/accounts";
import { licences } from "../../schema/licences";
import { payments } from "../../schema/payments";
import { subscriptions } from "../../schema/subscriptions";
import { type CheckoutGateway, CheckoutUnreachable } from "../checkout/checkout";
import { endAtStripe } from "./agree";

type Subscriber = Pick<typeof accounts.$inferSelect, "id" | "email">;

const away =
  "The payment provider can't be reached, so the subscription can't be ended right now. Nothing was deleted, please try again in a moment";

/**
 * Ends at Stripe whatever an account still pays for, at once, and voids what it owes; what has ended there already
 * stays. Refuses with `checkout_unreachable`. Our rows follow when Stripe tells.
 */
export async function endAllAtStripe(
  ctx: Ctx,
  gateway: () => Promise<CheckoutGateway>,
  account: Subscriber,
): Promise<void> {
  const unended = await unendedOf(ctx, account);
  if (unended.length === 0) return;
  const stripe = await gateway();
  try {
    for (const id of unended) await endAtStripe(stripe, id);
  } catch (error) {
    if (!(error instanceof CheckoutUnreachable)) throw error;
    throw new Refusal("checkout_unreachable", { sentence: away }, { cause: error });
  }
}

/** Stripe's ids of those that it bought, and of those that it redeemed and whose buyer has its address. */
async function unendedOf(
  { store: { db }, livemode }: Ctx,
  { id: accountId, email }: Subscriber,
): Promise<string[]> {
  const unended = and(isNull(subscriptions.endedAt), eq(subscriptions.livemode, livemode));
  const [bought, begun, redeemed] = await db.batch([
    db
      .select({ id: subscriptions.stripeId })
      .from(subscriptions)
      .where(and(eq(subscriptions.accountId, accountId), unended)),
    // its first payment is still on its way, as by bank debit, so it has no row yet
    db
      .select({ id: sql<string>`${payments.subscription}` })
      .from(payments)
      .where(
        and(
          eq(payments.accountId, accountId),
          isNotNull(payments.subscription),
          isNull(payments.soldAt),
          eq(payments.livemode, livemode),
        ),
      ),
    db
      .select({ id: subscriptions.stripeId, buyer: payments.emailKey })
      .from(licences)
      .innerJoin(subscriptions, eq(subscriptions.id, licences.primaryPaymentId))
      .innerJoin(payments, eq(payments.id, subscriptions.id))
      .where(and(eq(licences.accountId, accountId), sql`+${subscriptions.accountId} IS NULL`, unended)),
  ]);
  const own = redeemed.filter(({ buyer }) => buyer === addressKey(email));
  return [...new Set([...bought, ...begun, ...own].map(({ id }) => id))];
}

/** Takes an account's name off its subscriptions, so that no settlement that began before puts it back. */
export const disownSubscriptions = ({ store: { db } }: Ctx, accountId: string): Write =>
  db
    .update(subscriptions)
    .set({ accountId: null, version: sql`${subscriptions.version} + 1` })
    .where(eq(subscriptions.accountId, accountId));
