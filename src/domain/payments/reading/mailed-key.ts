import { eq } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import { day } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { linkToken, unverifiedRowId, rowOfToken } from "../../accounts/sessions/link-token";
import type { MailedKey } from "../../accounts/addresses/proven-by-key";
import { statusOf } from "../../licences/entitlement/entitlement";
import { keyOf } from "../../licences/keys/issue";
import { type Licence, licences } from "../../schema/licences";
import { type Payment, payments } from "../../schema/payments";
import { isReadable } from "../port/order-terms";

/** How long a link works, from when the mail server took the mail. */
const workingMilliseconds = 14 * day;

/**
 * The token in the link of a receipt or gift mail that shows these keys: it stands for the first that nobody has redeemed,
 * and for the order's address. Null if all are in use.
 */
export function mailedToken(ctx: Ctx, payment: Payment, shown: Licence[]): string | null {
  const unused = shown.find((one) => statusOf(ctx, one) === "unredeemed");
  return unused ? linkToken(ctx, "key", unused.id, ...boundTo(ctx, payment, unused)) : null;
}

/**
 * What a token in a receipt or gift mail stands for; null once the order has another address, the key was replaced or
 * redeemed, or after 14 days.
 */
export async function mailedKey(
  ctx: Ctx,
  token: string | undefined,
): Promise<(MailedKey & { key: string }) | null> {
  if (!token) return null;
  const [found] = await ctx.store.db
    .select({ licence: licences, payment: payments })
    .from(licences)
    .innerJoin(payments, eq(payments.id, licences.paymentId))
    .where(eq(licences.id, unverifiedRowId(token)));
  if (!found) return null;
  const { licence, payment } = found;
  const { to, sentAt } = mailOf(payment);
  if (!to || !sentAt || sentAt.getTime() + workingMilliseconds <= ctx.now().getTime()) return null;
  if (!isReadable(payment) || statusOf(ctx, licence) !== "unredeemed") return null;
  if (rowOfToken(ctx, "key", token, ...boundTo(ctx, payment, licence)) === null) return null;
  return { keyHash: licence.keyHash, email: to, key: keyOf(ctx, licence) };
}

const boundTo = (ctx: Ctx, payment: Payment, licence: Licence) => [
  keyOf(ctx, licence),
  addressKey(mailOf(payment).to ?? ""),
];

/** The mail that shows an order's keys: where it goes, and when the mail server took it. */
const mailOf = ({ email, giftEmail, receiptSentAt, giftSentAt }: Payment) =>
  giftEmail === null ? { to: email, sentAt: receiptSentAt } : { to: giftEmail, sentAt: giftSentAt };
