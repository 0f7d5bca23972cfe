import { and, eq, gt, ne } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { accounts, emailUndos } from "../schema/accounts";

/**
 * Refuses with `email_taken` if another account uses the address, or recently did and may still undo the change:
 * a thief must not be able to block the owner's undo link. `accountId` is null for a new account.
 */
export async function expectFreeEmail(ctx: Ctx, email: string, accountId: string | null): Promise<void> {
  const { db } = ctx.store;
  const key = email.toLowerCase();
  const [holder] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.emailKey, key), ne(accounts.id, accountId ?? "")));
  const [claimant] = await db
    .select({ id: emailUndos.id })
    .from(emailUndos)
    .where(
      and(
        eq(emailUndos.emailKey, key),
        ne(emailUndos.accountId, accountId ?? ""),
        gt(emailUndos.expiresAt, ctx.now()),
      ),
    )
    .limit(1);
  if (holder || claimant) throw emailTaken();
}

export const emailTaken = () => new Refusal("email_taken", { field: "email" });
