import { and, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { day, hour } from "@/contract/vocabulary/time";
import { visitor } from "@/core/base/actor";
import type { Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { preparedWrite } from "@/core/database/prepared";
import { randomToken, tokenHash } from "@/core/secrets/secrets";
import { authorize } from "../../permissions";
import { browserCookie } from "./known-browser";
import { accounts, sessions } from "../../schema/accounts";

/** A session ends after this long without use. */
export const sessionIdleMilliseconds = 7 * day;
/** A session ends after this long, however much it is used. */
export const sessionLongestMilliseconds = 90 * day;
/** The most sessions of an account; a further sign-in ends those unused for longest. */
const mostSessions = 100;
/** The most sessions that one sign-in ends. */
const mostEnded = 20;
/** The last use is written at most this often, so that most requests only read. */
const touchMilliseconds = hour;

/** Where a request comes from. */
export type Browser = {
  userAgent: string;
  address: string;
  /** The cookie of its current session, if any; a new sign-in ends that session. */
  session?: string | undefined;
  /** The known-browser cookie, if any. */
  known?: string | undefined;
};

/** The cookies to set after a sign-in. */
export type SignInCookies = { session: string; known: string };

/**
 * A new session: the cookies for the browser and the writes to commit. It replaces the browser's earlier session,
 * so that no session id survives a sign-in. Stored hashed.
 */
export function newSession(
  ctx: Ctx,
  accountId: string,
  browser: Browser,
): { entered: SignInCookies; writes: Write[] } {
  const token = randomToken();
  const now = ctx.now();
  const ended = browser.session ? [endSession(ctx.store, { tokenHash: tokenHash(browser.session) })] : [];
  const begun = insert(ctx.store, {
    tokenHash: tokenHash(token),
    id: newId(),
    accountId,
    createdAt: now,
    lastSeenAt: now,
    provedAt: now,
    userAgent: browser.userAgent,
    address: browser.address,
  });
  return {
    entered: { session: token, known: browserCookie(ctx, accountId, browser.known) },
    writes: [...ended, begun, endUnused(ctx.store, { accountId })],
  };
}

const insert = preparedWrite((db) =>
  db.insert(sessions).values({
    tokenHash: sql.placeholder("tokenHash"),
    id: sql.placeholder("id"),
    accountId: sql.placeholder("accountId"),
    createdAt: sql.placeholder("createdAt"),
    lastSeenAt: sql.placeholder("lastSeenAt"),
    provedAt: sql.placeholder("provedAt"),
    userAgent: sql.placeholder("userAgent"),
    address: sql.placeholder("address"),
  }),
);

const endSession = preparedWrite((db) =>
  db.delete(sessions).where(eq(sessions.tokenHash, sql.placeholder("tokenHash"))),
);

const endUnused = preparedWrite((db) => {
  const unused = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.accountId, sql.placeholder("accountId")))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(mostEnded)
    .offset(mostSessions);
  return db.delete(sessions).where(inArray(sessions.id, unused));
});

/** Ends the session of a cookie, if there is one. */
export async function signOut(ctx: Ctx, token: string): Promise<void> {
  authorize(visitor, "account.sign_out");
  await ctx.store.db.delete(sessions).where(eq(sessions.tokenHash, tokenHash(token)));
}

export const endAllSessions = (ctx: Ctx, accountId: string): Write =>
  ctx.store.db.delete(sessions).where(eq(sessions.accountId, accountId));

export type SignedIn = {
  session: { id: string; createdAt: Date; lastSeenAt: Date; provedAt: Date | null };
  account: typeof accounts.$inferSelect;
  /** Whether its cookie has to be set again. */
  renewed: boolean;
};

/** Further columns of the query, by name. */
type More = Record<string, SQL>;
type ValuesOf<M extends More> = { [K in keyof M]: M[K] extends SQL<infer Value> ? Value : never };
type TokenReader<S> = (token: string) => Promise<S | null>;

/** The present moment, in the columns that a reader adds. */
export const nowPlaceholder = sql.placeholder("now");

/**
 * Prepares the query that every signed-in request makes: the session and its account only. The reader resolves to
 * null for an unknown or expired cookie.
 */
export const sessionReader = (ctx: Ctx): TokenReader<SignedIn> => sessionReaderWith(ctx, {});

/** {@link sessionReader} for a call that needs more columns of the account, in the same query. */
export function sessionReaderWith<M extends More>(ctx: Ctx, more: M): TokenReader<SignedIn & ValuesOf<M>> {
  const query = ctx.store.db
    .select({
      session: {
        id: sessions.id,
        createdAt: sessions.createdAt,
        lastSeenAt: sessions.lastSeenAt,
        provedAt: sessions.provedAt,
      },
      account: accounts,
      ...(more as More),
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(
      and(
        eq(sessions.tokenHash, sql.placeholder("hash")),
        gt(sessions.lastSeenAt, sql.placeholder("seenAfter")),
        gt(sessions.createdAt, sql.placeholder("begunAfter")),
      ),
    )
    .prepare();
  return async (token: string) => {
    const at = ctx.now().getTime();
    const [found] = await query.all({
      hash: tokenHash(token),
      now: at,
      seenAfter: at - sessionIdleMilliseconds,
      begunAfter: at - sessionLongestMilliseconds,
    });
    if (!found) return null;
    const renewed = at - found.session.lastSeenAt.getTime() > touchMilliseconds;
    if (renewed) await touch(ctx, found.session.id);
    return { ...(found as typeof found & ValuesOf<M>), renewed };
  };
}

const touch = (ctx: Ctx, id: string) =>
  ctx.store.db.update(sessions).set({ lastSeenAt: ctx.now() }).where(eq(sessions.id, id));
