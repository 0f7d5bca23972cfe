import { and, eq, gt, ne } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { accounts, emailUndos } from "../schema/accounts";

/**
 * Refuses with `email_taken` an address that is another account's, or was until lately and may be
 * given back: whoever stole an account must not be able to block its owner's way back.
 * `accountId` is null for somebody who has no account yet.
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
