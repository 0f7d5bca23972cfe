import { and, asc, eq, gt } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import type { Account } from "./account";
import { emailUndos } from "../schema/accounts";

export type PendingUndo = typeof emailUndos.$inferSelect;

/** The earlier address that its owner can still restore; null if there is none. */
export async function pendingUndo(ctx: Ctx, accountId: string): Promise<PendingUndo | null> {
  const [first] = await ctx.store.db
    .select()
    .from(emailUndos)
    .where(and(eq(emailUndos.accountId, accountId), gt(emailUndos.expiresAt, ctx.now())))
    .orderBy(asc(emailUndos.id))
    .limit(1);
  return first ?? null;
}

/** Whether the account's two-factor was already on before the change; false without two-factor. */
export const hadTwoFactor = (undo: PendingUndo, { mfaEnabledAt }: Pick<Account, "mfaEnabledAt">): boolean =>
  mfaEnabledAt !== null && undo.mfaEnabledAt?.getTime() === mfaEnabledAt.getTime();
