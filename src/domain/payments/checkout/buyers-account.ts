import { eq } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { sameSecret } from "@/core/secrets/secrets";
import { holdingOf } from "../../licences/entitlement/holding";
import type { Holding } from "../../licences/entitlement/holding";
import { devicesForLife } from "../../licences/changes/redeem";
import { holdsSubscription } from "../../licences/entitlement/subscriptions";
import { accounts } from "../../schema/accounts";
import type { Payment } from "../../schema/payments";
import { type Order, type Sealed, termsOf } from "../port/order-terms";

/**
 * The holding of the buyer's account, for a signed-in buyer of one licence for themselves; null if the licence is sold
 * already, would add nothing, or has days that would run out beside a subscription. Ignores blocks made
 * after the checkout began: the licence is paid for.
 */
export async function buyersAccountOf(ctx: Ctx, payment: Payment): Promise<Holding | null> {
  const { accountId: id, soldAt } = payment;
  const terms = keptTerms(payment);
  if (id === null || soldAt !== null || terms === null || payment.livemode !== ctx.livemode) return null;
  const holding = await holdingOf(ctx, id);
  if (!holding || terms.devices <= devicesForLife(ctx, holding.licences)) return null;
  return terms.days !== null && (await holdsSubscription(ctx, id)) ? null : holding;
}

/**
 * The buyer's account as written at Stripe, so that a restored shop without its database adds the licence to it again.
 * Not part of the seal: the account is no term of the order.
 */
export const buyerMark = (ctx: Ctx, orderId: string, accountId: string): string =>
  `${accountId}.${ctx.secrets.fingerprint("order-seal", markedText(orderId, accountId))}`;

/** The account that an order's mark names; null if this shop did not write the mark or the account is deleted. */
export async function markedAccount(ctx: Ctx, { id, buyer }: Order): Promise<string | null> {
  const [accountId = "", proof = ""] = buyer?.split(".") ?? [];
  const proofs = ctx.secrets.fingerprints("order-seal", markedText(id, accountId));
  if (!proofs.some((one) => sameSecret(one, proof))) return null;
  const { db } = ctx.store;
  const [account] = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId));
  return account?.id ?? null;
}

const markedText = (orderId: string, accountId: string) => JSON.stringify(["buyer", orderId, accountId]);

/** What the buyer keeps of what they bought; null for a gift or several. */
function keptTerms(payment: Payment): Sealed | null {
  const terms = termsOf(payment);
  return payment.giftEmail === null && terms?.quantity === 1 ? terms : null;
}
