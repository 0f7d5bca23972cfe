import { and, eq, gt, sql } from "drizzle-orm";
import { minute } from "@/contract/vocabulary/time";
import { typedCode } from "@/contract/vocabulary/typed-codes";
import type { DeskStaff, StaffRole } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { Refusal } from "@/core/base/refusal";
import { randomToken, tokenHash } from "@/core/secrets/secrets";
import { type Account, type Requester, mustBeSignedIn, mustBeUnchanged } from "../accounts/sessions/account";
import { deskLongestMilliseconds } from "../accounts/sign-in/forget";
import { secondFactor } from "../accounts/credentials/second-factor";
import type { Browser, SignedIn } from "../accounts/sessions/sessions";
import { authorize } from "../permissions";
import { sessions } from "../schema/accounts";
import { deskSessions, staff } from "../schema/staff";

const idleMilliseconds = 30 * minute;
/** How often the last use is written at most. */
const touchMilliseconds = minute;

/** A member of staff on the desk. */
export type AtDesk = {
  actor: DeskStaff;
  role: StaffRole;
  account: Account;
  /** SHA-256 of the desk's cookie. */
  tokenHash: string;
};

type EnterInput = { requester: Requester; code: string | undefined };

/**
 * Opens the desk for a member of staff in their account's session. Resolves to the desk's cookie. Refuses with
 * `forbidden`, `role_asleep`, `two_factor_needed`, or as the second step of a sign-in does; accepts no recovery code.
 */
export async function enterDesk(
  ctx: Ctx,
  limits: LimitTable,
  { requester, code }: EnterInput,
): Promise<{ token: string; role: StaffRole; confirmedAt: Date }> {
  const { account, session } = requester;
  const appointment = await appointmentOf(ctx, account.id);
  if (!appointment) throw new Refusal("forbidden");
  const { id: staffId, role, asleepSince } = appointment;
  const now = ctx.now();
  const actor = onDesk(account, role, now);
  authorize(actor, "desk.enter");
  if (asleepSince) throw new Refusal("role_asleep");
  if (!account.mfaEnabledAt) throw new Refusal("two_factor_needed");
  const uses = await secondFactor(ctx, limits, account, digitsOnly(code, requester.browser));
  const token = randomToken();
  const { db } = ctx.store;
  await commit(ctx.store, [
    ...mustBeSignedIn(ctx, requester),
    ...mustBeUnchanged(ctx, account),
    ...uses,
    db.delete(deskSessions).where(eq(deskSessions.sessionId, session.id)),
    db.insert(deskSessions).select(
      db
        .select({
          tokenHash: sql`${tokenHash(token)}`.as("token_hash"),
          sessionId: sql`${session.id}`.as("session_id"),
          staffId: staff.id,
          credentials: sql`${credentialsOf(account)}`.as("credentials"),
          createdAt: sql`${now.getTime()}`.as("created_at"),
          lastSeenAt: sql`${now.getTime()}`.as("last_seen_at"),
          confirmedAt: sql`${now.getTime()}`.as("confirmed_at"),
        })
        .from(staff)
        .where(eq(staff.id, staffId)),
    ),
    mustHaveChanged("forbidden"),
    record(ctx, { actor, action: "staff.entered", subject: account.id, accountId: account.id }),
  ]);
  return { token, role, confirmedAt: now };
}

const onDesk = ({ id: accountId }: Account, role: StaffRole, confirmedAt: Date): DeskStaff => ({
  kind: "staff",
  via: "desk",
  accountId,
  roles: [role],
  confirmedAt,
});

/** The desk accepts only the authenticator's code; anything else may be a recovery code, which a sign-in also accepts. */
const digitsOnly = (code: string | undefined, browser: Browser) => ({
  code: code === undefined || /^(\d{6})?$/.test(typedCode(code)) ? code : "0",
  browser,
});

async function appointmentOf({ store: { db } }: Ctx, accountId: string) {
  const [found] = await db
    .select({ id: staff.id, role: staff.role, asleepSince: staff.asleepSince })
    .from(staff)
    .where(eq(staff.accountId, accountId));
  return found ?? null;
}

const credentialsOf = ({ passwordHash, mfaEnabledAt }: Account) =>
  tokenHash(`${passwordHash} ${mfaEnabledAt?.getTime() ?? "off"}`);

/**
 * Prepares the query that every call of the desk begins with. The reader resolves to null unless the cookie belongs to
 * this session of a member of staff who has changed neither password nor two-factor since.
 */
export function deskReader(ctx: Ctx) {
  const query = ctx.store.db
    .select({ desk: deskSessions, role: staff.role })
    .from(deskSessions)
    .innerJoin(staff, eq(staff.id, deskSessions.staffId))
    .where(
      and(
        eq(deskSessions.tokenHash, sql.placeholder("hash")),
        eq(deskSessions.sessionId, sql.placeholder("session")),
        gt(deskSessions.createdAt, sql.placeholder("begunAfter")),
        gt(deskSessions.lastSeenAt, sql.placeholder("seenAfter")),
      ),
    )
    .prepare();

  return async ({ account, session }: SignedIn, token: string): Promise<AtDesk | null> => {
    const at = ctx.now().getTime();
    const hash = tokenHash(token);
    const [found] = await query.all({
      hash,
      session: session.id,
      begunAfter: at - deskLongestMilliseconds,
      seenAfter: at - idleMilliseconds,
    });
    if (!found || !account.mfaEnabledAt || found.desk.credentials !== credentialsOf(account)) return null;
    if (at - found.desk.lastSeenAt.getTime() > touchMilliseconds) await touch(ctx, hash, session.id);
    const { role, desk } = found;
    const actor = onDesk(account, role, desk.confirmedAt);
    return { actor, role, account, tokenHash: hash };
  };
}

/** Work on the desk also keeps the account's session alive. */
const touch = (ctx: Ctx, hash: string, sessionId: string) =>
  commit(ctx.store, [
    ctx.store.db.update(deskSessions).set({ lastSeenAt: ctx.now() }).where(eq(deskSessions.tokenHash, hash)),
    ctx.store.db.update(sessions).set({ lastSeenAt: ctx.now() }).where(eq(sessions.id, sessionId)),
  ]);

/** Confirms operations that need a fresh code by the table of permissions. Resolves to the time of the confirmation. */
export async function confirmAtDesk(
  ctx: Ctx,
  limits: LimitTable,
  { at, code, browser }: { at: AtDesk; code: string | undefined; browser: Browser },
): Promise<Date> {
  authorize(at, "desk.enter");
  const uses = await secondFactor(ctx, limits, at.account, digitsOnly(code, browser));
  const now = ctx.now();
  await commit(ctx.store, [
    ...mustBeUnchanged(ctx, at.account),
    ...uses,
    ctx.store.db
      .update(deskSessions)
      .set({ confirmedAt: now, lastSeenAt: now })
      .where(eq(deskSessions.tokenHash, at.tokenHash)),
    mustHaveChanged("unauthenticated"),
  ]);
  return now;
}

/** Ends a session on the desk; the account stays signed in. */
export async function leaveDesk(ctx: Ctx, at: AtDesk): Promise<void> {
  authorize(at, "desk.enter");
  await ctx.store.db.delete(deskSessions).where(eq(deskSessions.tokenHash, at.tokenHash));
}
