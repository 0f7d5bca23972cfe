import { hour, inSeconds } from "@/contract/vocabulary/time";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { byAddress, type LimitUse, spend, spendAll, uncountWrite } from "@/core/limits/limits";
import { reasonOf } from "@/core/log/log";
import { networksOf } from "@/core/limits/networks";
import { refusalIn } from "@/core/base/refusal";
import { type Account, nameKey } from "../sessions/account";
import { logRoutine } from "../sessions/security-log";
import type { Browser } from "../sessions/sessions";

/** A sign-in attempt; `known` identifies a browser that signed in to the account before. */
export type SignInAttempt = {
  username: string;
  account: Account | null;
  known: string | null;
  browser: Browser;
};

/** The steps after the password was checked; `wasRight` gives the writes for the commit. */
export type CountedAttempt = { wasRight(): Write[]; wasWrong(): void };

/** The owner's security log mentions refused guesses at most once in this time. */
const ownerNotices = { name: "login-told", most: 1, seconds: inSeconds(hour) };

/**
 * Counts an attempt before its password is checked, and refuses with `rate_limited`. Browsers that signed in to the
 * account before have counts of their own, so strangers who guess can't lock the owner out.
 */
export async function countAttempt(
  ctx: Ctx,
  limits: LimitTable,
  guess: SignInAttempt,
): Promise<CountedAttempt> {
  const { account, known, browser } = guess;
  const source = sourceOf(ctx, browser);
  const wasWrong = () =>
    ctx.log.info("wrong password", { ...(account ? { account: account.id } : {}), source });
  const addresses = byAddress(limits["login-address"], browser.address);
  if (account && known !== null) {
    await spendAll(ctx, [
      ...addresses,
      { limit: limits["login-account"], who: `browser ${known}` },
      { limit: limits["login-known"], who: account.id },
    ]);
    return { wasRight: () => [], wasWrong };
  }
  const name = nameKey(guess.username);
  const failures: LimitUse = {
    limit: limits["login-failure"],
    who: account ? `account ${account.id}` : `name ${name}`,
  };
  const counted: LimitUse[] = [
    ...addresses,
    ...byAddress(limits["login-account"], browser.address).map(({ limit, who }) => ({
      limit,
      who: `${name} ${who}`,
    })),
    failures,
  ];
  try {
    await spendAll(ctx, counted);
  } catch (error) {
    if (account && isTooMany(error)) noteAfterAnswering(ctx, account, browser, source);
    throw error;
  }
  return { wasRight: () => [uncountWrite(ctx, [failures])], wasWrong };
}

/** The time in which the answer is sent. */
const afterAnswering = 100;

/** Writes that happen only for an existing account would reveal it by the time of the answer. */
function noteAfterAnswering(ctx: Ctx, account: Account, browser: Browser, source: string): void {
  setTimeout(
    () =>
      void noteRefusal(ctx, account, browser, source).catch((error: unknown) =>
        ctx.log.warn("refused sign-ins could not be noted", { reason: reasonOf(error) }),
      ),
    afterAnswering,
  );
}

async function noteRefusal(ctx: Ctx, { id }: Account, browser: Browser, source: string): Promise<void> {
  try {
    await spend(ctx, ownerNotices, id);
  } catch (error) {
    if (isTooMany(error)) return;
    throw error;
  }
  ctx.log.warn("sign-ins are refused after too many wrong passwords", { account: id, source });
  await commit(ctx.store, [
    ...logRoutine(ctx, { code: "account.guesses_refused", accountId: id, browser, source }),
  ]);
}

const isTooMany = (error: unknown) => refusalIn(error)?.code === "rate_limited";

/** Identifies the source of attempts in the log without revealing its address; of IPv6, the /56 of a connection. */
function sourceOf(ctx: Ctx, { address }: Browser): string {
  const [own, connection = own] = networksOf(address);
  return ctx.secrets.fingerprint("address", connection?.network ?? address).slice(0, 16);
}
