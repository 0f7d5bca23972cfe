import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { audit } from "@/core/audit";
import { commit, mustHaveChanged } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { isConflict, Refusal } from "@/core/refusal";
import { rowOfToken, linkToken } from "../accounts/link-token";
import { accounts } from "../schema/accounts";

/** The call that ends letters to an account that are not about an order (RFC 8058). */
export const unsubscribeUrl = (ctx: Ctx, accountId: string, publicUrl: URL): string =>
  new URL(`/api/unsubscribe?token=${linkToken(ctx, "unsubscribe", accountId)}`, publicUrl).href;

/** Whether a token came from one of the shop's letters. */
export const isUnsubscribeToken = (ctx: Ctx, token: string): boolean =>
  rowOfToken(ctx, "unsubscribe", token) !== null;

/**
 * Ends such letters, or lets them come again. Repeating it, or asking for an account that is gone, is no error.
 * Refuses with `unsubscribe_invalid`.
 */
export async function wantLetters(ctx: Ctx, token: string, wanted: boolean): Promise<void> {
  const accountId = rowOfToken(ctx, "unsubscribe", token);
  if (accountId === null) throw new Refusal("unsubscribe_invalid", { field: "token" });
  const { id, unsubscribedAt } = accounts;
  const differs = wanted ? isNotNull(unsubscribedAt) : isNull(unsubscribedAt);
  try {
    await commit(ctx.store, [
      ctx.store.db
        .update(accounts)
        .set({ unsubscribedAt: wanted ? null : ctx.now() })
        .where(and(eq(id, accountId), differs)),
      mustHaveChanged("conflict"),
      audit(ctx, {
        actor: accountId,
        action: wanted ? "mailings.subscribed" : "mailings.unsubscribed",
        subject: accountId,
        accountId,
      }),
    ]);
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
}
