import { and, eq, gt } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import { type Actor, customer, type StaffRole, visitor } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { Refusal } from "@/core/base/refusal";
import type { Requester } from "../accounts/sessions/account";
import { expectProofOrCredentials, type ProofInput } from "../accounts/credentials/proof";
import { linkToken, rowOfToken } from "../accounts/sessions/link-token";
import { commitAccount, expectRegistrable, newAccount } from "../accounts/sign-in/register";
import type { Browser, SignInCookies } from "../accounts/sessions/sessions";
import { authorize } from "../permissions";
import { staff, staffInvitations } from "../schema/staff";
import { invitationEmail, invitationEnd } from "./emails/invitation";

type Invitation = typeof staffInvitations.$inferSelect;

/** Whom to invite; with `mail` off somebody hands over the link. */
export type InvitationTerms = { email: string; role: StaffRole; mail: "on" | "off"; by: Actor };

/** Invites an address by mail; its earlier invitation, if any, no longer works. */
export function invitationWrites(
  ctx: Ctx,
  { email, role, mail, by }: InvitationTerms,
): { id: string; token: string; writes: Write[] } {
  const now = ctx.now();
  const values = {
    id: newId(),
    email,
    role,
    mailed: mail === "on",
    invitedBy: by.kind === "staff" && "accountId" in by ? by.accountId : null,
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

type AcceptInput = { token: string; username: string; password: string; timezone: string };

/**
 * Creates the account of an invited member of staff, without a licence, and signs it in; a mailed link confirms its
 * address. Refuses with `invitation_invalid`, or as {@link register} does.
 */
export async function acceptInvitation(
  ctx: Ctx,
  { token, ...typed }: AcceptInput,
  browser: Browser,
): Promise<SignInCookies> {
  authorize(visitor, "invitation.accept");
  const invitation = await invitationOf(ctx, token);
  const wanted = { ...typed, email: invitation.email };
  const passwordHash = await expectRegistrable(ctx, wanted, browser);
  const created = { passwordHash, licenceVersion: 0, emailConfirmed: invitation.mailed } as const;
  const { id, entered, writes } = newAccount(ctx, { ...wanted, ...created }, browser);
  await commitAccount(ctx, takeUp(ctx, invitation, { accountId: id, before: writes }));
  return entered;
}

/**
 * Gives the signed-in account the role of an invitation. The mailed link proves who was invited: anybody can give their
 * account an address that isn't theirs; password and code prove that it isn't a stolen session that gets the role.
 * Refuses with `invitation_invalid`, with `already_staff`, or as {@link expectProofOrCredentials} does.
 */
export async function joinStaff(
  ctx: Ctx,
  limits: LimitTable,
  requester: Requester,
  { token, ...typed }: ProofInput & { token: string },
): Promise<void> {
  authorize(requester, "invitation.accept");
  const invitation = await invitationOf(ctx, token);
  const before = await expectProofOrCredentials(ctx, limits, requester, typed);
  await commit(ctx.store, takeUp(ctx, invitation, { accountId: requester.account.id, before }));
}

/**
 * Gives an account the role that somebody was invited to, once: the writes for the commit, with those of
 * `before`. The commit fails with `already_staff` if the account has a role, and with `invitation_invalid` if
 * the invitation was used, withdrawn or replaced meanwhile.
 */
const takeUp = (
  ctx: Ctx,
  { id, role }: Invitation,
  { accountId, before }: { accountId: string; before: Write[] },
): Write[] => [
  ctx.store.db.delete(staffInvitations).where(eq(staffInvitations.id, id)),
  mustHaveChanged("invitation_invalid"),
  ...before,
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
