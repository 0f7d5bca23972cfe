import { and, eq, gt, inArray, lt } from "drizzle-orm";
import { minute } from "@/contract/time";
import { visitor } from "@/core/actor";
import { commit, mustHaveChanged } from "@/core/commit";
import type { Ctx } from "@/core/context";
import type { LimitTable } from "@/core/limit-table";
import { spend } from "@/core/limits";
import { Refusal } from "@/core/refusal";
import { tokenHash } from "@/core/secrets";
import { authorize } from "../permissions";
import { renewApiKey } from "./api-key";
import { endDeviceTokens } from "./device-tokens";
import { notify } from "./notices";
import { hashPassword, judgePassword, placeOf } from "./passwords";
import { codeFits, oneTryMore } from "./recovery-code";
import { addressHashes } from "./sealed-code";
import { logSecurity } from "./security-log";
import { type Browser, endAllSessions } from "./sessions";
import { accounts, recoveries } from "../schema/accounts";

const mostTries = 3;
/** How long a verified browser may take to choose a password. */
const verifiedMilliseconds = 10 * minute;

/**
 * Step two: the browser that asked enters the code. Refuses everything else alike with `recovery_code_invalid`. Counts
 * a try before checking the code, and never gives it back.
 */
export async function verifyRecovery(
  ctx: Ctx,
  typed: { email: string; code: string },
  cookie: string | undefined,
): Promise<void> {
  authorize(visitor, "account.recover");
  // the person went back a step and forward again
  const verified = await verifiedRecovery(ctx, typed.email, cookie);
  if (verified && codeFits(ctx, verified, typed.code)) return;
  const { db } = ctx.store;
  const [recovery] = await db
    .update(recoveries)
    .set({ tries: oneTryMore })
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
}

type NewPassword = {
  email: string;
  code: string;
  password: string;
  renew_token?: boolean | undefined;
};
type RecoveringBrowser = Browser & { recovery: string | undefined };

/**
 * Step three, once: the verified browser sends the code and a new password. Every session ends, nobody is
 * signed in, and two-factor stays as it is; with `renew_token` the application's token is replaced too. Refuses with `recovery_refused`.
 */
export async function resetPassword(
  ctx: Ctx,
  limits: LimitTable,
  typed: NewPassword,
  browser: RecoveringBrowser,
): Promise<void> {
  authorize(visitor, "account.recover");
  const { db } = ctx.store;
  const recovery = await verifiedRecovery(ctx, typed.email, browser.recovery);
  if (!recovery?.accountId || !codeFits(ctx, recovery, typed.code)) throw new Refusal("recovery_refused");
  const [account] = await db.select().from(accounts).where(eq(accounts.id, recovery.accountId));
  // the code went to the address that the account had then
  const isStill = account && addressHashes(ctx, account.email).includes(recovery.addressHash);
  if (!isStill) throw new Refusal("recovery_refused");
  const still = and(eq(accounts.id, account.id), eq(accounts.email, account.email));
  await spend(ctx, limits["password-change"], account.id);
  judgePassword(typed.password, account);
  const passwordHash = await hashPassword(typed.password, placeOf(account));
  await commit(ctx.store, [
    db.delete(recoveries).where(eq(recoveries.id, recovery.id)),
    mustHaveChanged("recovery_refused"),
    db.delete(recoveries).where(eq(recoveries.accountId, account.id)),
    db.update(accounts).set({ passwordHash, recoveryDueAt: null, emailConfirmedAt: ctx.now() }).where(still),
    mustHaveChanged("recovery_refused"),
    ...(typed.renew_token ? renewApiKey(ctx, account, browser) : endDeviceTokens(ctx, account.id)),
    endAllSessions(ctx, account.id),
    logSecurity(ctx, { code: "recovery.done", accountId: account.id, browser }),
    notify(ctx, account, { what: "recovered", browser }),
  ]);
}

/** The recovery that this browser has verified, if still valid. */
async function verifiedRecovery(ctx: Ctx, email: string, cookie: string | undefined) {
  const [recovery] = await ctx.store.db
    .select()
    .from(recoveries)
    .where(and(ofBrowser(ctx, email, cookie), gt(recoveries.verifiedUntil, ctx.now())));
  return recovery ?? null;
}

/** Without a cookie, the hash of the empty string, which belongs to no browser. */
const ofBrowser = (ctx: Ctx, email: string, cookie: string | undefined) =>
  and(
    eq(recoveries.browserHash, tokenHash(cookie ?? "")),
    inArray(recoveries.addressHash, addressHashes(ctx, email)),
  );
