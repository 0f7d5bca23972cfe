import { and, eq, gt, ne } from "drizzle-orm";
import { addressKey } from "@/contract/addresses";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { findBlock, findBlocks } from "../blocks/find";
import { accounts, emailUndos } from "../schema/accounts";

/**
 * Refuses with `blocked` if the address is blocked, and with `email_taken` if another account uses it, or did until
 * recently and may still undo the change: a thief must not be able to block the owner's undo link. `accountId` is null
 * for a new account.
 */
export async function expectFreeEmail(ctx: Ctx, email: string, accountId: string | null): Promise<void> {
  const [blocked, ...uses] = await ctx.store.db.batch([
    findBlocks(ctx, { email }),
    ...usesOfEmail(ctx, email, accountId),
  ]);
  if (blocked.length > 0) throw emailBlocked();
  if (uses.some((rows) => rows.length > 0)) throw emailTaken();
}

/** Two queries for a batch: the account that uses the address, and an account that may still restore it. */
export function usesOfEmail({ store: { db }, now }: Ctx, email: string, accountId: string | null) {
  const key = addressKey(email);
  const holder = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.emailKey, key), ne(accounts.id, accountId ?? "")));
  const claimant = db
    .select({ id: emailUndos.id })
    .from(emailUndos)
    .where(
      and(
        eq(emailUndos.emailKey, key),
        ne(emailUndos.accountId, accountId ?? ""),
        gt(emailUndos.expiresAt, now()),
      ),
    )
    .limit(1);
  return [holder, claimant] as const;
}

/** Refuses with `blocked`, even if the address is the account's own. */
export async function expectUnblockedEmail(ctx: Ctx, email: string): Promise<void> {
  if (await findBlock(ctx, { email })) throw emailBlocked();
}

export const emailBlocked = () => new Refusal("blocked", { blocked: "email", field: "email" });

export const emailTaken = () => new Refusal("email_taken", { field: "email" });
