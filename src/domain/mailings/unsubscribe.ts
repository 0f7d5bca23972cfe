import { eq, sql } from "drizzle-orm";
import { audit } from "@/core/audit";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { rowOfToken, linkToken } from "../accounts/link-token";
import { accounts } from "../schema/accounts";
import { payments } from "../schema/payments";

/** The one-click unsubscribe link (RFC 8058) of an account or a payment's buyer. */
export const unsubscribeUrl = (ctx: Ctx, recipient: string, publicUrl: URL): string =>
  new URL(`/api/unsubscribe?token=${linkToken(ctx, "unsubscribe", recipient)}`, publicUrl).href;

/** Whether a token came from one of the shop's letters. */
export const isUnsubscribeToken = (ctx: Ctx, token: string): boolean =>
  rowOfToken(ctx, "unsubscribe", token) !== null;

/**
 * Unsubscribes the account or buyer of a token, and whoever else has that address, from letters that are not about an
 * order; or resubscribes them. Repeating it, or asking for somebody who is gone, is no error. Refuses with `unsubscribe_invalid`.
 */
export async function wantLetters(ctx: Ctx, token: string, wanted: boolean): Promise<void> {
  const recipient = rowOfToken(ctx, "unsubscribe", token);
  if (recipient === null) throw new Refusal("unsubscribe_invalid", { field: "token" });
  const { db } = ctx.store;
  const [account] = await db.select().from(accounts).where(eq(accounts.id, recipient));
  const [payment] = account ? [] : await db.select().from(payments).where(eq(payments.id, recipient));
  const address = (account ?? payment)?.email?.toLowerCase();
  const isWanted = (account ?? payment)?.unsubscribedAt === null;
  if (address === undefined || isWanted === wanted) return;
  const unsubscribedAt = wanted ? null : ctx.now();
  await commit(ctx.store, [
    db
      .update(accounts)
      .set({ unsubscribedAt })
      .where(account ? eq(accounts.id, account.id) : eq(accounts.emailKey, address)),
    db
      .update(payments)
      .set({ unsubscribedAt })
      .where(eq(sql`lower(${payments.email})`, address)),
    audit(ctx, {
      actor: recipient,
      action: wanted ? "mailings.subscribed" : "mailings.unsubscribed",
      subject: recipient,
      ...(account ? { accountId: account.id } : {}),
    }),
  ]);
}
