import { and, desc, eq, gt } from "drizzle-orm";
import { minute, second } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { within } from "@/core/base/within";
import { payments } from "../../schema/payments";
import type { CheckoutGateway } from "../port/stripe";
import type { OrderTerms } from "../port/order-terms";

/** How long a second click on Buy goes on with the checkout of the first. */
const sameClickMilliseconds = 10 * minute;
/** How long a buyer waits for Stripe to say where that checkout is. */
const mostMilliseconds = 2 * second;

/**
 * The checkout of the same subscription that an account opened a moment ago and has not finished; null if there is none.
 * Two would make two subscriptions.
 */
export async function openedJustNow(
  ctx: Ctx,
  gateway: CheckoutGateway,
  accountId: string,
  wanted: OrderTerms,
): Promise<{ id: string; url: string } | null> {
  const [opened] = await ctx.store.db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.accountId, accountId),
        eq(payments.state, "open"),
        eq(payments.offer, wanted.offer),
        gt(payments.createdAt, new Date(ctx.now().getTime() - sameClickMilliseconds)),
      ),
    )
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(1);
  if (!opened) return null;
  const isSame =
    opened.unitAmount === wanted.amount &&
    opened.currency === wanted.currency &&
    opened.every === wanted.every &&
    opened.trialDays === wanted.trialDays &&
    opened.devices === wanted.devices;
  // completing one expires the account's others, so a second does no harm
  const asked = isSame ? within(mostMilliseconds, gateway.pageOf(opened.sessionId)) : null;
  const url = await asked?.catch(() => null);
  return url ? { id: opened.sessionId, url } : null;
}
