import { and, eq, gt, gte, inArray, isNotNull, isNull, lt } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import type { RecoveryProof } from "@/contract/wire/recovery";
import { hour, minute } from "@/contract/vocabulary/time";
import { visitor } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { withoutIndex } from "@/core/database/without-index";
import { commit, mustHaveChanged, mustNotExist, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { resetCountWrite } from "@/core/limits/limits";
import { Refusal } from "@/core/base/refusal";
import { randomToken, tokenHash } from "@/core/secrets/secrets";
import { authorize } from "../../permissions";
import { unlinkWrites } from "../../discord/change-link";
import { linkOf } from "../../discord/links";
import { type Account, accountById } from "../sessions/account";
import { renewApiKey } from "../sessions/api-key";
import { stillHasEmail } from "../addresses/change-email";
import { doubtDevicesWrites } from "../sessions/device-tokens";
import { earlierEventsWrites } from "../emails/earlier-events";
import { type FormerEmail, formerEmailsOf } from "../sessions/former-emails";
import { commitEmail, removeTypedElsewhere, usesOfEmail } from "../addresses/free-email";
import { browserCookie } from "../sessions/known-browser";
import { notify } from "../sessions/notices";
import { hashPassword, expectAcceptablePassword, queuePlaceOf } from "../credentials/passwords";
import { codeFits, endRecoveries, triesPlusOne } from "../recovery/recovery-code";
import { recoveryAddresses } from "../recovery/recoverable";
import { recoveryOfToken } from "../recovery/recovery-token";
import { addressHashes, recoveryLinkHours, recoveryMinutes } from "../recovery/sealed-code";
import { logSecurity } from "../sessions/security-log";
import { type Browser, endAllSessions } from "../sessions/sessions";
import { turnOffMfa } from "../credentials/remove-mfa";
import { secondFactor } from "../credentials/second-factor";
import { accounts, emailConfirmations, formerEmails, mfaSetups, recoveries } from "../../schema/accounts";
import { links } from "../../schema/discord";
import { staff, staffInvitations } from "../../schema/staff";

const mostTries = 3;
/** How long a verified browser may take to choose a password. */
const verifiedMilliseconds = 10 * minute;

/**
 * Step two: the browser that asked enters the code. Refuses everything else alike with `recovery_code_invalid`. Counts
 * a try before checking the code, and never gives it back. Resolves to the browser's cookie.
 */
export async function verifyRecovery(
  ctx: Ctx,
  typed: { email: string; code: string },
  cookie = "",
): Promise<string> {
  authorize(visitor, "account.recover");
  // the person went back a step and forward again
  const verified = await verifiedRecovery(ctx, typed.email, cookie);
  if (verified && codeFits(ctx, verified, typed.code)) return cookie;
  const { db } = ctx.store;
  const [recovery] = await db
    .update(recoveries)
    .set({ tries: triesPlusOne })
    .where(
      and(
        ofBrowser(ctx, typed.email, cookie),
        lt(recoveries.tries, mostTries),
        gt(recoveries.expiresAt, ctx.now()),
      ),
    )
    .returning();
  // compare even if nobody has the address, so that the time is the same
  const fits = recovery !== undefined && codeFits(ctx, recovery, typed.code);
  if (!recovery?.accountId || !fits) throw new Refusal("recovery_code_invalid");
  const verifiedUntil = new Date(ctx.now().getTime() + verifiedMilliseconds);
  await commit(ctx.store, [
    db.update(recoveries).set({ verifiedUntil }).where(eq(recoveries.id, recovery.id)),
    mustHaveChanged("recovery_code_invalid"),
  ]);
  return cookie;
}

/**
 * Step two in any browser, by the mailed link: from then on that browser alone may choose a password. Resolves to its
 * cookie; refuses with `link_invalid`.
 */
export async function verifyByLink(ctx: Ctx, token: string): Promise<string> {
  authorize(visitor, "account.recover");
  const named = await recoveryOfToken(ctx, token);
  if (!named) throw new Refusal("link_invalid");
  const { account } = named;
  const cookie = randomToken();
  const now = ctx.now().getTime();
  const mailedAfter = now + recoveryMinutes * minute - recoveryLinkHours(account) * hour;
  await commit(ctx.store, [
    ctx.store.db
      .update(recoveries)
      .set({
        accountId: account.id,
        browserHash: tokenHash(cookie),
        verifiedUntil: new Date(now + verifiedMilliseconds),
      })
      .where(
        and(
          eq(recoveries.id, named.id),
          isNotNull(recoveries.accountId),
          withoutIndex(gt(recoveries.expiresAt, new Date(mailedAfter))),
        ),
      ),
    mustHaveChanged("link_invalid"),
  ]);
  return cookie;
}

type NewPassword = RecoveryProof & {
  password: string;
  security_code?: string | undefined;
};
type RecoveringBrowser = Browser & { recovery: string | undefined };

/** Two-factor and links added this long before a recovery may be a thief's. */
const doubtedMilliseconds = 72 * hour;

/**
 * Step three, once: the verified browser sends the code and a new password. The proof of the mailbox beats what was set up
 * before it: every session, the token, the computers' tokens and whatever waits for a confirmation end, and so do two-factor
 * and Discord connections of the last 72 hours, or of any age where nobody had confirmed the address. A former address
 * comes back with it, and then two-factor that stays asks its code (`mfa_required`). One that another account has confirmed
 * stays there. Where no two-factor stays, a role as staff sleeps. Nobody is signed in; resolves to the cookie with which this
 * browser is known. Refuses with `recovery_refused`.
 */
export async function resetPassword(
  ctx: Ctx,
  limits: LimitTable,
  typed: NewPassword,
  browser: RecoveringBrowser,
): Promise<string> {
  authorize(visitor, "account.recover");
  const { db } = ctx.store;
  const recovery =
    "token" in typed
      ? await verifiedByLink(ctx, typed.token, browser.recovery)
      : await verifiedRecovery(ctx, typed.email, browser.recovery);
  const fits = recovery && ("token" in typed || codeFits(ctx, recovery, typed.code));
  if (!recovery?.accountId || !fits) throw new Refusal("recovery_refused");
  const account = await accountById(ctx, recovery.accountId);
  const own = account && (await recoveredAddressOf(ctx, account, recovery));
  if (!account || !own) throw new Refusal("recovery_refused");
  expectAcceptablePassword(typed.password, account);
  const since = new Date(recovery.askedAt.getTime() - doubtedMilliseconds);
  const doubted = await doubtedOf(ctx, account, since);
  // a limit of its own: whoever knows the password could exhaust that of signing in
  const ownCount = { ...limits, "mfa-code": limits["mfa-recovery"] };
  const uses =
    own.former && !doubted.mfa
      ? await secondFactor(ctx, ownCount, account, { code: typed.security_code, browser })
      : [];
  const passwordHash = await hashPassword(typed.password, queuePlaceOf(account));
  const { email, isOthers } = own;
  const address = { email, emailKey: addressKey(email), emailConfirmedAt: ctx.now() };
  const proven = { ...account, ...address };
  const writes = [
    db.delete(recoveries).where(eq(recoveries.id, recovery.id)),
    mustHaveChanged("recovery_refused"),
    ...uses,
    ...(own.former ? restoreFormerEmail(ctx, own.former) : []),
    endRecoveries(ctx, account.id, [email, ...(await replacedAddresses(ctx, account, own.former))]),
    db.delete(emailConfirmations).where(eq(emailConfirmations.accountId, account.id)),
    db.delete(mfaSetups).where(eq(mfaSetups.accountId, account.id)),
    ...(isOthers ? [] : removeTypedElsewhere(ctx, email, account.id)),
    db
      .update(accounts)
      .set({ passwordHash, ...(isOthers ? { email: null, emailKey: null } : address) })
      .where(and(eq(accounts.id, account.id), stillHasEmail(account), mfaIsUnchanged(account))),
    mustHaveChanged("conflict"),
    ...(isOthers || account.emailConfirmedAt ? [] : earlierEventsWrites(ctx, account.id)),
    ...renewApiKey(ctx, proven, browser),
    endAllSessions(ctx, account.id),
    ...doubtDevicesWrites(ctx, account, since),
    ...(doubted.mfa ? turnOffMfa(ctx, proven, browser) : []),
    ...doubted.link,
    ...(account.mfaEnabledAt && !doubted.mfa ? [] : await putRoleToSleep(ctx, account.id)),
    logSecurity(ctx, { code: "recovery.done", accountId: account.id, browser }),
    ...notify(ctx, proven, { what: "recovered", browser }),
    resetCountWrite(ctx, { limit: limits["login-failure"], who: `account ${account.id}` }),
  ];
  await commitEmail(ctx, writes, new Refusal("recovery_refused"));
  return browserCookie(ctx, account.id, browser.known);
}

/**
 * The address that the code was mailed to; undefined if it no longer recovers the account. `isOthers`: another account has
 * confirmed it, and this one is recovered because its key was mailed there.
 */
async function recoveredAddressOf(ctx: Ctx, account: Account, { addressHash, askedAt }: Recovery) {
  const known = await recoveryAddresses(ctx, account, askedAt);
  const found = known.find(({ email }) => addressHashes(ctx, email).includes(addressHash));
  if (!found) return undefined;
  if (found.former || account.emailConfirmedAt) return { ...found, isOthers: false };
  const [holders, reserved] = await ctx.store.db.batch(usesOfEmail(ctx, found.email, account.id));
  const isOthers = holders.length > 0 && account.keyEmail !== null;
  return isOthers || holders.length + reserved.length === 0 ? { ...found, isOthers } : undefined;
}

type Recovery = typeof recoveries.$inferSelect;

/** The recovery removes doubtful two-factor and links; a link made meanwhile makes it fail. */
async function doubtedOf(ctx: Ctx, { id, emailConfirmedAt, mfaEnabledAt }: Account, lately: Date) {
  const since = emailConfirmedAt === null ? new Date(0) : lately;
  const link = await linkOf(ctx, id);
  // links by staff and imports have no name, and are never doubtful
  const made = and(eq(links.accountId, id), gte(links.linkedAt, since), isNotNull(links.displayName));
  const none = ctx.store.db.select({ accountId: links.accountId }).from(links).where(made);
  return {
    mfa: mfaEnabledAt !== null && mfaEnabledAt >= since,
    link:
      link && link.linkedAt >= since && link.displayName !== null
        ? await unlinkWrites(ctx, id, { actor: visitor })
        : [mustNotExist(none, "conflict", {})],
  };
}

/** The mailbox alone gives nobody the rights of staff; a role given or woken meanwhile makes the recovery fail. */
async function putRoleToSleep(ctx: Ctx, accountId: string): Promise<Write[]> {
  const { db } = ctx.store;
  const awake = db
    .select()
    .from(staff)
    .where(and(eq(staff.accountId, accountId), isNull(staff.asleepSince)));
  const [member] = await awake;
  if (!member) return [mustNotExist(awake, "conflict", {})];
  return [
    db
      .update(staff)
      .set({ asleepSince: ctx.now() })
      .where(and(eq(staff.id, member.id), eq(staff.role, member.role))),
    mustHaveChanged("conflict"),
    db.delete(staffInvitations).where(eq(staffInvitations.invitedBy, accountId)),
    record(ctx, {
      actor: visitor,
      action: "staff.fell_asleep",
      subject: accountId,
      accountId,
      detail: { role: member.role },
    }),
  ];
}

/** Two-factor that is turned on while the password is hashed must not survive. */
const mfaIsUnchanged = ({ mfaEnabledAt }: Account) =>
  mfaEnabledAt === null ? isNull(accounts.mfaEnabledAt) : eq(accounts.mfaEnabledAt, mfaEnabledAt);

/** The addresses that a recovery replaces: the current one and, if a former one is restored, those dropped for it. */
async function replacedAddresses(ctx: Ctx, account: Account, former: FormerEmail | null) {
  if (!former) return [account.email];
  const dropped = (await formerEmailsOf(ctx, account.id)).filter(
    ({ replacedAt }) => replacedAt >= former.replacedAt,
  );
  return [account.email, ...dropped.map(({ email }) => email)];
}

/** The later ones are dropped. */
const restoreFormerEmail = ({ store: { db } }: Ctx, { id, accountId, replacedAt }: FormerEmail): Write[] => {
  const later = and(eq(formerEmails.accountId, accountId), gte(formerEmails.replacedAt, replacedAt));
  const own = db.delete(formerEmails).where(eq(formerEmails.id, id));
  return [own, mustHaveChanged("recovery_refused"), db.delete(formerEmails).where(later)];
};

/** The recovery that this browser has verified, if still valid. */
async function verifiedRecovery(ctx: Ctx, email: string, cookie: string | undefined) {
  const [recovery] = await ctx.store.db
    .select()
    .from(recoveries)
    .where(and(ofBrowser(ctx, email, cookie), gt(recoveries.verifiedUntil, ctx.now())));
  return recovery ?? null;
}

async function verifiedByLink(ctx: Ctx, token: string, cookie: string | undefined) {
  const named = await recoveryOfToken(ctx, token);
  if (!named) return null;
  const [recovery] = await ctx.store.db
    .select()
    .from(recoveries)
    .where(
      and(
        eq(recoveries.browserHash, tokenHash(cookie ?? "")),
        withoutIndex(
          and(
            eq(recoveries.id, named.id),
            eq(recoveries.accountId, named.account.id),
            gt(recoveries.verifiedUntil, ctx.now()),
          ),
        ),
      ),
    );
  return recovery ?? null;
}

/** Without a cookie, the hash of the empty string, which belongs to no browser. */
const ofBrowser = (ctx: Ctx, email: string, cookie: string | undefined) =>
  and(
    eq(recoveries.browserHash, tokenHash(cookie ?? "")),
    inArray(recoveries.addressHash, addressHashes(ctx, email)),
  );
