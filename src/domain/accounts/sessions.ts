import { and, desc, eq, exists, gt, inArray, isNull, sql } from "drizzle-orm";
import { day, hour } from "@/contract/time";
import { type StaffRole, visitor } from "@/core/actor";
import type { Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { randomToken, tokenHash } from "@/core/secrets";
import { links } from "../schema/discord";
import { devices } from "../schema/devices";
import { licences } from "../schema/licences";
import { entitles, isEntitled } from "../licences/entitlement";
import { authorize } from "../permissions";
import { browserCookie } from "./known-browser";
import { accounts, sessions } from "../schema/accounts";
import { staff } from "../schema/staff";
import { subscriptions } from "../schema/subscriptions";

/** A session ends after this long without use. */
export const sessionIdleMilliseconds = 7 * day;
/** A session ends after this long, however much it is used. */
export const sessionLongestMilliseconds = 90 * day;
/** The most sessions of an account; a further sign-in ends those unused for longest. */
const mostSessions = 100;
/** The most sessions that one sign-in ends; an earlier release may have left a longer list. */
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
  const ended = browser.session
    ? [ctx.store.db.delete(sessions).where(eq(sessions.tokenHash, tokenHash(browser.session)))]
    : [];
  const begun = ctx.store.db.insert(sessions).values({
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
    writes: [...ended, begun, endUnused(ctx, accountId)],
  };
}

function endUnused({ store: { db } }: Ctx, accountId: string): Write {
  const unused = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.accountId, accountId))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(mostEnded)
    .offset(mostSessions);
  return db.delete(sessions).where(inArray(sessions.id, unused));
}

/** Ends the session of a cookie, if there is one. */
export async function signOut(ctx: Ctx, token: string): Promise<void> {
  authorize(visitor, "account.sign_out");
  await ctx.store.db.delete(sessions).where(eq(sessions.tokenHash, tokenHash(token)));
}

/** The write that ends every session of an account. */
export const endAllSessions = (ctx: Ctx, accountId: string): Write =>
  ctx.store.db.delete(sessions).where(eq(sessions.accountId, accountId));

export type SignedIn = NonNullable<Awaited<ReturnType<ReturnType<typeof sessionReader>>>>;

/**
 * Prepares the query that every signed-in request makes: the session, its account and what the account holds.
 * The reader resolves to null for an unknown or expired cookie.
 */
export function sessionReader(ctx: Ctx) {
  const { db } = ctx.store;
  const now = sql.placeholder("now");
  const query = db
    .select({
      session: { id: sessions.id, lastSeenAt: sessions.lastSeenAt, provedAt: sessions.provedAt },
      account: accounts,
      entitled: isEntitled(ctx, accounts.id, now),
      devices: {
        /** Computers kept, active or not. */
        used: sql<number>`(${db
          .select({ count: sql`count(*)` })
          .from(devices)
          .where(eq(devices.accountId, accounts.id))})`,
        /** As many as the licence with the most has. */
        places: sql<number>`coalesce((${db
          .select({ most: licences.devices })
          .from(licences)
          .where(and(eq(licences.accountId, accounts.id), entitles(ctx, now)))
          .orderBy(desc(licences.devices))
          .limit(1)}), 0)`,
      },
      linked: exists(
        db
          .select({ one: sql`1` })
          .from(links)
          .where(eq(links.accountId, accounts.id)),
      ).mapWith(Boolean),
      /** Its newest subscription whose last renewal failed, and when the licence ends unless that is paid. */
      pastDue: sql`(${db
        .select({ found: sql`json_array(${subscriptions.id}, ${licences.expiresAt})` })
        .from(subscriptions)
        .leftJoin(licences, eq(licences.primaryPaymentId, subscriptions.id))
        .where(
          and(
            eq(subscriptions.accountId, accounts.id),
            eq(subscriptions.status, "past_due"),
            // who cancelled it meanwhile is not asked to pay on every page
            isNull(subscriptions.endsAt),
            eq(subscriptions.livemode, ctx.livemode),
          ),
        )
        .orderBy(desc(subscriptions.startedAt), desc(subscriptions.id))
        .limit(1)})`.mapWith(pastDueIn),
      /** Null for customers. */
      staffRole: sql<StaffRole | null>`(${db
        .select({ role: staff.role })
        .from(staff)
        .where(eq(staff.accountId, accounts.id))})`,
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
    return { ...found, renewed };
  };
}

type PastDue = { subscription: string; until: Date | null };

/** Drizzle maps null to null without calling this. */
function pastDueIn(found: string): PastDue | null {
  const [subscription, until] = JSON.parse(found) as [string, number | null];
  return { subscription, until: until === null ? null : new Date(until) };
}

const touch = (ctx: Ctx, id: string) =>
  ctx.store.db.update(sessions).set({ lastSeenAt: ctx.now() }).where(eq(sessions.id, id));
