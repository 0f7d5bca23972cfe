import { and, eq, gt } from "drizzle-orm";
import { addressKey } from "@/contract/addresses";
import { customer, type SiteCustomer, type StaffRole, visitor } from "@/core/actor";
import { record } from "@/core/audit";
import { commit, mustHaveChanged, type Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { enqueue } from "@/core/outbox";
import { Refusal } from "@/core/refusal";
import { linkToken, rowOfToken } from "../accounts/link-token";
import { commitAccount, expectRegistrable, newAccount } from "../accounts/register";
import type { Browser, SignInCookies } from "../accounts/sessions";
import { authorize } from "../permissions";
import { staff, staffInvitations } from "../schema/staff";
import { invitationEmail, invitationEnd } from "./emails/invitation";

type Invitation = typeof staffInvitations.$inferSelect;

/** Invites an address by mail; its earlier invitation, if any, no longer works. */
export function invitationWrites(
  ctx: Ctx,
  email: string,
  role: StaffRole,
): { id: string; token: string; writes: Write[] } {
  const now = ctx.now();
  const values = {
    id: newId(),
    email,
    role,
    createdAt: now,
    expiresAt: invitationEnd(ctx),
  };
  const writes = [
    ctx.store.db
      .insert(staffInvitations)
      .values({ ...values, emailKey: addressKey(email) })
      .onConflictDoUpdate({ target: staffInvitations.emailKey, set: values }),
    enqueue(ctx, { topic: invitationEmail, subject: values.id }),
  ];
  return { id: values.id, token: invitationToken(ctx, values.id), writes };
}

const invitationToken = (ctx: Ctx, id: string) => linkToken(ctx, "invite", id);

/** An open invitation; null once it was used, replaced or has expired. */
async function openInvitation(ctx: Ctx, id: string): Promise<Invitation | null> {
  const [found] = await ctx.store.db
    .select()
    .from(staffInvitations)
    .where(and(eq(staffInvitations.id, id), gt(staffInvitations.expiresAt, ctx.now())));
  return found ?? null;
}

type Accepted = { token: string; username: string; password: string; timezone: string };

/**
 * Creates the account of an invited member of staff, without a licence, and signs it in. Refuses with
 * `invitation_invalid`, or as {@link register} does.
 */
export async function acceptInvitation(
  ctx: Ctx,
  { token, ...typed }: Accepted,
  browser: Browser,
): Promise<SignInCookies> {
  authorize(visitor, "invitation.accept");
  const invitation = await invitationOf(ctx, token);
  const wanted = { ...typed, email: invitation.email };
  const passwordHash = await expectRegistrable(ctx, wanted, browser);
  const { id, entered, writes } = newAccount(ctx, { ...wanted, passwordHash, licenceEdition: 0 }, browser);
  await commitAccount(ctx, takeUp(ctx, invitation, { accountId: id, creating: writes }));
  return entered;
}

/**
 * Gives the signed-in account the role of an invitation. The mailed link proves who was invited: anybody can give their
 * account an address that isn't theirs. Refuses with `invitation_invalid`, or with `already_staff`.
 */
export async function joinStaff(ctx: Ctx, actor: SiteCustomer, token: string): Promise<void> {
  authorize(actor, "invitation.accept");
  const invitation = await invitationOf(ctx, token);
  await commit(ctx.store, takeUp(ctx, invitation, { accountId: actor.accountId }));
}

/**
 * Gives an account the role that somebody was invited to, once: the writes for the commit, which with `creating` also
 * creates the account. The commit fails with `already_staff` if the account has a role, and with `invitation_invalid` if
 * the invitation was used, withdrawn or replaced meanwhile.
 */
const takeUp = (
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
  mustHaveChanged("already_staff"),
  record(ctx, {
    actor: customer(accountId),
    action: "staff.added",
    subject: accountId,
    accountId,
    detail: { role },
  }),
];

async function invitationOf(ctx: Ctx, token: string): Promise<Invitation> {
  const id = rowOfToken(ctx, "invite", token);
  const found = id === null ? null : await openInvitation(ctx, id);
  if (!found) throw new Refusal("invitation_invalid");
  return found;
}
