import { and, eq, gt } from "drizzle-orm";
import { theShop } from "@/core/actor";
import { record } from "@/core/audit";
import { mustHaveChanged, type Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { staff, staffInvitations } from "../schema/staff";

export type Invitation = typeof staffInvitations.$inferSelect;

/** The open invitation to the staff of an address, by its comparison key. */
export async function findInvitation(ctx: Ctx, emailKey: string): Promise<Invitation | null> {
  const [found] = await ctx.store.db
    .select()
    .from(staffInvitations)
    .where(and(eq(staffInvitations.emailKey, emailKey), gt(staffInvitations.expiresAt, ctx.now())));
  return found ?? null;
}

/**
 * Gives an account the role that its address was invited to, once: the writes for the commit of a sign-in, or of a new
 * account, which `creating` creates. A role that the account has by then stays as it is. The commit fails with
 * `invitation_invalid` if the invitation was used, withdrawn or replaced meanwhile.
 */
export const takeUpInvitation = (
  ctx: Ctx,
  { id, role }: Invitation,
  { accountId, creating = [] }: { accountId: string; creating?: Write[] },
): Write[] => [
  ctx.store.db.delete(staffInvitations).where(eq(staffInvitations.id, id)),
  mustHaveChanged("invitation_invalid"),
  ...creating,
  ctx.store.db
    .insert(staff)
    .values({ id: newId(), accountId, role, createdAt: ctx.now() })
    .onConflictDoNothing(),
  record(ctx, {
    actor: theShop,
    action: "staff.added",
    subject: accountId,
    accountId,
    detail: { role },
  }),
];
