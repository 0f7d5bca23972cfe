import { eq } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { sameSecret } from "@/core/secrets";
import { holdingUnderRule } from "../../licences/ends-rule";
import type { Holding } from "../../licences/holding";
import { holdsLifetime } from "../../licences/redeem";
import { accounts } from "../../schema/accounts";
import type { Payment } from "../../schema/payments";
import { type Order, termsOf } from "./order-terms";

/**
 * What the account of a buyer holds who was signed in and bought one licence for themselves; null if it is sold already,
 * or would add nothing. A block made after the checkout began changes nothing: it has been paid.
 */
export async function buyersAccountOf(ctx: Ctx, payment: Payment): Promise<Holding | null> {
  const { accountId: id, soldAt } = payment;
  if (id === null || soldAt !== null || !isForBuyer(payment) || payment.livemode !== ctx.livemode)
    return null;
  const holding = await holdingUnderRule(ctx, id);
  return holding && !holdsLifetime(ctx, holding.licences) ? holding : null;
}

/**
 * What is written at Stripe of the account that a buyer was signed in to, so that a lost database adds to it again. It
 * stands apart from the seal: it is no term of the order, and the release before reads orders without it.
 */
export const buyerMark = (ctx: Ctx, orderId: string, accountId: string): string =>
  `${accountId}.${ctx.secrets.fingerprint("order-seal", markedText(orderId, accountId))}`;

/** The account that an order's mark names, if this shop wrote the mark and the account is still there. */
export async function markedAccount(ctx: Ctx, { id, buyer }: Order): Promise<string | null> {
  const [accountId = "", proof = ""] = buyer?.split(".") ?? [];
  const proofs = ctx.secrets.fingerprints("order-seal", markedText(id, accountId));
  if (!proofs.some((one) => sameSecret(one, proof))) return null;
  const { db } = ctx.store;
  const [account] = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId));
  return account?.id ?? null;
}

const markedText = (orderId: string, accountId: string) => JSON.stringify(["buyer", orderId, accountId]);

/** Whether a buyer keeps what was bought: neither a gift nor one of several. */
const isForBuyer = (payment: Payment) => payment.giftEmail === null && termsOf(payment)?.quantity === 1;
