import type { Ctx } from "@/core/database/context";
import { type Account, accountById } from "../sessions/account";
import { linkToken, unverifiedRowId, rowOfToken } from "../sessions/link-token";

/**
 * The token of a recovery's link for an account: a mail may offer several. Of one without a confirmed address it ends with
 * the password, whoever changes it; else a thief could end what a former address was mailed.
 */
export const recoveryToken = (ctx: Ctx, recoveryId: string, account: Account): string =>
  linkToken(ctx, "recover", `${recoveryId}:${account.id}`, ...boundTo(account));

/** What a token stands for; null if this shop didn't make it, or it has ended. */
export async function recoveryOfToken(
  ctx: Ctx,
  token: string,
): Promise<{ id: string; account: Account } | null> {
  const [id, accountId] = unverifiedRowId(token).split(":");
  const account = id && accountId ? await accountById(ctx, accountId) : null;
  if (!id || !account || rowOfToken(ctx, "recover", token, ...boundTo(account)) === null) return null;
  return { id, account };
}

const boundTo = ({ emailConfirmedAt, passwordHash }: Account): string[] =>
  emailConfirmedAt === null ? [passwordHash] : [];
