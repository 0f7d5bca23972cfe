import { and, eq, gt } from "drizzle-orm";
import { addressKey } from "@/contract/addresses";
import { hour } from "@/contract/time";
import { type StaffRole, visitor } from "@/core/actor";
import type { Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { enqueue } from "@/core/outbox";
import { Refusal } from "@/core/refusal";
import { type Invitation, takeUpInvitation } from "../accounts/invitations";
import { linkToken, rowOfToken } from "../accounts/link-token";
import { commitAccount, expectRegistrable, newAccount } from "../accounts/register";
import type { Browser, SignInCookies } from "../accounts/sessions";
import { authorize } from "../permissions";
import { staffInvitations } from "../schema/staff";
import { invitationEmail } from "./emails/invitation";

export const invitationHours = 72;

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
    expiresAt: new Date(now.getTime() + invitationHours * hour),
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
  await commitAccount(ctx, takeUpInvitation(ctx, invitation, { accountId: id, creating: writes }));
  return entered;
}

async function invitationOf(ctx: Ctx, token: string): Promise<Invitation> {
  const id = rowOfToken(ctx, "invite", token);
  const found = id === null ? null : await openInvitation(ctx, id);
  if (!found) throw new Refusal("invitation_invalid");
  return found;
}
