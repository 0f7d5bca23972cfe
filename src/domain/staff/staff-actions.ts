import { and, asc, count, eq, gt, isNull, ne } from "drizzle-orm";
import { email as emailAddress } from "@/contract/wire/accounts";
import { addressKey } from "@/contract/vocabulary/addresses";
import { type By, operator, type StaffRole } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged, mustNotExist, retryOnConflict, type Write } from "@/core/database/commit";
import { type Ctx, readId } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { type Account, accountByName } from "../accounts/sessions/account";
import { authorize, expectConfirmed } from "../permissions";
import { accounts } from "../schema/accounts";
import { staff, staffInvitations } from "../schema/staff";
import { invitationWrites, type InvitationTerms } from "./invite";

type StaffMember = {
  id: string;
  account: Pick<Account, "id" | "username" | "email">;
  role: StaffRole;
  twoFactor: boolean;
  /** Since when the role gives no rights; null while it is awake. */
  asleepSince: Date | null;
  since: Date;
};
type OpenInvitation = { id: string; email: string; role: StaffRole; createdAt: Date; expiresAt: Date };

/** The most rows of a list; no shop has that many staff. */
const mostListed = 200;

/** All staff in the order of their appointment, and the open invitations. */
export async function staffOfShop(
  ctx: Ctx,
  by: Pick<By, "actor">,
): Promise<{ members: StaffMember[]; invitations: OpenInvitation[] }> {
  authorize(by, "staff.read");
  const { db } = ctx.store;
  const [members, invitations] = await db.batch([
    db
      .select({ staff, account: accounts })
      .from(staff)
      .innerJoin(accounts, eq(accounts.id, staff.accountId))
      .orderBy(asc(staff.id))
      .limit(mostListed),
    db
      .select()
      .from(staffInvitations)
      .where(gt(staffInvitations.expiresAt, ctx.now()))
      .orderBy(asc(staffInvitations.expiresAt))
      .limit(mostListed),
  ]);
  return {
    members: members.map(({ staff: { id, role, createdAt, asleepSince }, account }) => ({
      id,
      account: { id: account.id, username: account.username, email: account.email },
      role,
      twoFactor: account.mfaEnabledAt !== null,
      asleepSince,
      since: createdAt,
    })),
    invitations: invitations.map(({ id, email, role, createdAt, expiresAt }) => ({
      id,
      email,
      role,
      createdAt,
      expiresAt,
    })),
  };
}

/** `invitation`: the token of its link, for a shop that sends no mail. */
export type Appointed =
  | { account: Pick<Account, "id" | "username">; role: StaffRole; invitation: null }
  | { account: null; role: StaffRole; invitation: { id: string; email: string; token: string } };

/**
 * Changes the role of a member of staff by their account's name, at once; anybody else gets a link, which gives the role
 * when it is accepted: an account at its confirmed address, or an address as it is, even if an account has it. Refuses an
 * unknown name with `not_found`, an address that no mail can be sent to with `invalid_field`, an account without a
 * confirmed address with `email_unconfirmed` unless `mail` is off, and on the desk with `last_owner` a change that would
 * leave the shop without an owner.
 */
export async function addStaff(
  ctx: Ctx,
  { named, role, mail }: Pick<InvitationTerms, "role" | "mail"> & { named: string },
  by: By,
): Promise<Appointed> {
  authorize(by, "staff.add");
  const account = named.includes("@") ? null : await expectAccountNamed(ctx, named);
  if (account && (await roleOf(ctx, account))) {
    expectConfirmed(ctx, by, "staff.add");
    await retryOnConflict(() => changeRole(ctx, { account, role }, by));
    return { account: { id: account.id, username: account.username }, role, invitation: null };
  }
  const email = account?.email ?? expectAddress(named);
  if (account && !account.emailConfirmedAt && mail === "on") throw new Refusal("email_unconfirmed");
  expectConfirmed(ctx, by, "staff.add");
  return invite(ctx, { email, role, mail, by: by.actor }, by);
}

async function expectAccountNamed(ctx: Ctx, named: string): Promise<Account> {
  const account = await accountByName(ctx, named);
  if (account) return account;
  const sentence = "There is no such account. Enter an address to invite someone.";
  throw new Refusal("not_found", { sentence });
}

async function roleOf({ store: { db } }: Ctx, { id }: Account): Promise<Member | null> {
  const [found] = await db.select().from(staff).where(eq(staff.accountId, id));
  return found ?? null;
}

/** The address in the form in which it is stored. Refuses one that no mail can be sent to. */
function expectAddress(typed: string): string {
  const read = emailAddress.safeParse(typed);
  if (read.success) return read.data;
  const sentence = `The address ${read.error.issues[0]?.message}.`;
  throw new Refusal("invalid_field", { field: "name_or_email", sentence });
}

async function invite(ctx: Ctx, inviting: InvitationTerms, by: By): Promise<Appointed> {
  await expectNoCopy(ctx);
  const { email, role } = inviting;
  const { id, token, writes } = invitationWrites(ctx, inviting);
  await commit(ctx.store, [
    ...writes,
    record(ctx, { ...by, action: "staff.invited", subject: id, detail: { role } }),
  ]);
  return { account: null, role, invitation: { id, email, token } };
}

async function changeRole(
  ctx: Ctx,
  { account, role }: { account: Account; role: StaffRole },
  by: By,
): Promise<void> {
  const { db } = ctx.store;
  const former = await roleOf(ctx, account);
  if (!former) throw new Refusal("staff_unknown");
  if (former.role === role) return;
  await commit(ctx.store, [
    ...(former.role === "owner" ? mustLeaveAnOwner(ctx, by, former.id) : []),
    db.update(staff).set({ role }).where(isStill(former)),
    mustHaveChanged("conflict"),
    record(ctx, {
      ...by,
      subject: account.id,
      accountId: account.id,
      action: "staff.role_changed",
      detail: { before: former.role, after: role },
    }),
    endInvitationsBy(ctx, account.id),
    ...(account.emailConfirmedAt
      ? [db.delete(staffInvitations).where(eq(staffInvitations.emailKey, account.emailKey ?? ""))]
      : []),
  ]);
}

/**
 * Removes a member of staff, named by name, email or id, or withdraws an invitation, named by address or id. The
 * member's desk closes at once in every process. Refuses with `staff_unknown`, and on the desk with `last_owner`.
 */
export async function removeStaff(ctx: Ctx, named: string, by: By): Promise<"removed" | "withdrawn"> {
  authorize(by, "staff.remove");
  const { db } = ctx.store;
  const member = await memberNamed(ctx, named);
  const invitation = member ? null : await invitationNamed(ctx, named);
  if (!member && !invitation) throw new Refusal("staff_unknown");
  expectConfirmed(ctx, by, "staff.remove");
  if (invitation) {
    await commit(ctx.store, [
      db.delete(staffInvitations).where(eq(staffInvitations.id, invitation.id)),
      mustHaveChanged("staff_unknown"),
      record(ctx, {
        ...by,
        action: "staff.invitation_withdrawn",
        subject: invitation.id,
        detail: { role: invitation.role },
      }),
    ]);
    return "withdrawn";
  }
  if (member) await dismiss(ctx, member, by);
  return "removed";
}

/**
 * Wakes the role of a member of staff, named by name, email or id, that a recovery put to sleep; one that is awake stays
 * so. Refuses with `staff_unknown`.
 */
export async function wakeStaff(ctx: Ctx, named: string, by: By): Promise<Member> {
  authorize(by, "staff.wake");
  const member = await memberNamed(ctx, named);
  if (!member) throw new Refusal("staff_unknown");
  expectConfirmed(ctx, by, "staff.wake");
  const { asleepSince, accountId, role } = member;
  if (!asleepSince) return member;
  await commit(ctx.store, [
    ctx.store.db
      .update(staff)
      .set({ asleepSince: null })
      .where(and(isStill(member), eq(staff.asleepSince, asleepSince))),
    mustHaveChanged("conflict"),
    record(ctx, { ...by, action: "staff.woken", subject: accountId, accountId, detail: { role } }),
  ]);
  return member;
}

type Member = typeof staff.$inferSelect;

const dismiss = (ctx: Ctx, member: Member, by: By): Promise<void> =>
  commit(ctx.store, [
    ...(member.role === "owner" ? mustLeaveAnOwner(ctx, by, member.id) : []),
    ctx.store.db.delete(staff).where(isStill(member)),
    mustHaveChanged("conflict"),
    endInvitationsBy(ctx, member.accountId),
    record(ctx, {
      ...by,
      action: "staff.removed",
      subject: member.accountId,
      accountId: member.accountId,
      detail: { role: member.role },
    }),
  ]);

const isStill = ({ id, role }: Member) => and(eq(staff.id, id), eq(staff.role, role));

/** Somebody whose role ends or changes must not get back in by an invitation of their own. */
const endInvitationsBy = ({ store: { db } }: Ctx, accountId: string): Write =>
  db.delete(staffInvitations).where(eq(staffInvitations.invitedBy, accountId));

/** The desk keeps an owner who is awake; the command line may leave the shop without one. */
function mustLeaveAnOwner({ store: { db } }: Ctx, { actor }: By, staffId: string): Write[] {
  if (actor.kind === operator.kind) return [];
  const others = db
    .select({ owners: count() })
    .from(staff)
    .where(and(eq(staff.role, "owner"), isNull(staff.asleepSince), ne(staff.id, staffId)))
    .having(eq(count(), 0));
  return [mustNotExist(others, "last_owner", {})];
}

/** {@link mustLeaveAnOwner} for the commit that erases an account. */
export async function mustLeaveAnOwnerWithout(ctx: Ctx, by: By, accountId: string): Promise<Write[]> {
  const [member] = await ctx.store.db.select().from(staff).where(eq(staff.accountId, accountId));
  return member?.role === "owner" ? mustLeaveAnOwner(ctx, by, member.id) : [];
}

async function memberNamed(ctx: Ctx, named: string): Promise<Member | null> {
  const { db } = ctx.store;
  const account = await accountByName(ctx, named);
  const member = account && (await roleOf(ctx, account));
  if (member) return member;
  const [found] = await db
    .select()
    .from(staff)
    .where(eq(staff.id, readId(named) ?? ""));
  return found ?? null;
}

async function invitationNamed({ store: { db } }: Ctx, named: string) {
  const id = readId(named);
  const where = id === null ? eq(staffInvitations.emailKey, addressKey(named)) : eq(staffInvitations.id, id);
  const [found] = await db.select().from(staffInvitations).where(where);
  return found ?? null;
}
