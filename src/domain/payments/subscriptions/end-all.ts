import { and, eq, gt, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import pLimit from "p-limit";
import { day } from "@/contract/vocabulary/time";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { boughtBy, orderedBy } from "../../licences/entitlement/buyer";
import { payments } from "../../schema/payments";
import { subscriptions } from "../../schema/subscriptions";
import { type CheckoutGateway, CheckoutUnreachable } from "../port/stripe";
import { endAtStripe } from "./agree";

/** Each costs a few requests of the hundred a second that Stripe allows. */
const atOnce = 8;

const away =
  "The payment provider can't be reached, so the subscription can't be ended right now. Nothing was deleted. Please try again in a moment.";

/**
 * Ends all of an account's running subscriptions at Stripe at once, and voids what it owes. Our rows change when Stripe
 * reports it. Refuses with `checkout_unreachable`.
 */
export async function endAllAtStripe(
  ctx: Ctx,
  gateway: () => Promise<CheckoutGateway>,
  accountId: string,
): Promise<void> {
  const unended = await unendedOf(ctx, accountId);
  if (unended.length === 0) return;
  const stripe = await gateway();
  try {
    const limit = pLimit(atOnce);
    await Promise.all(unended.map((id) => limit(() => endAtStripe(stripe, id))));
  } catch (error) {
    if (!(error instanceof CheckoutUnreachable)) throw error;
    throw new Refusal("checkout_unreachable", { sentence: away }, { cause: error });
  }
}

/** Stripe's ids of those that it bought. */
async function unendedOf({ store: { db }, livemode, now }: Ctx, accountId: string): Promise<string[]> {
  const [bought, begun] = await db.batch([
    db
      .select({ id: subscriptions.stripeId })
      .from(subscriptions)
      .where(
        and(boughtBy(db, accountId), isNull(subscriptions.endedAt), eq(subscriptions.livemode, livemode)),
      ),
    // its first payment is still on its way, as by bank debit, so it has no row yet
    db
      .select({ id: sql<string>`${payments.subscription}` })
      .from(payments)
      .where(
        and(
          orderedBy(db, accountId),
          isNotNull(payments.subscription),
          isNull(payments.soldAt),
          inArray(payments.state, ["processing", "failed"]),
          // what failed is tried again for a few weeks
          gt(payments.createdAt, new Date(now().getTime() - 35 * day)),
          eq(payments.livemode, livemode),
        ),
      ),
  ]);
  return [...new Set([...bought, ...begun].map(({ id }) => id))];
}

/**
 * Takes the buyer's name off what they `bought` (ids), so that no settlement that began before puts it back, and notes that
 * nothing may be charged for it from now on: money that is on its way is given back.
 */
export const disownSubscriptions = ({ store: { db }, now }: Ctx, bought: string[]): Write[] =>
  bought.length === 0
    ? []
    : [
        db
          .update(subscriptions)
          .set({ accountId: null, erasedAt: now(), version: sql`${subscriptions.version} + 1` })
          .where(inArray(subscriptions.id, bought)),
      ];
