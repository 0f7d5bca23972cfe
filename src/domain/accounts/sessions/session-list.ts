import { and, desc, eq, gt, ne } from "drizzle-orm";
import { olderThan, type Place } from "@/core/database/pages";
import { commit, mustHaveChanged } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { authorize } from "../../permissions";
import { type Requester, mustBeSignedIn } from "./account";
import { renewApiKey } from "./api-key";
import { logRoutine } from "./security-log";
import { sessionIdleMilliseconds, sessionLongestMilliseconds } from "./sessions";
import { sessions } from "../../schema/accounts";
import { deviceName } from "./user-agent";

/** The account whose sessions are listed, and the session of the request. */
export type Reader = { account: Requester["account"]; session: { id: string } };

/** A page of an account's sessions, most recently used first, after a place in the list. */
export async function sessionsOf(
  ctx: Ctx,
  { account, session }: Reader,
  { after, most }: { after: Place | null; most: number },
) {
  const before = (milliseconds: number) => new Date(ctx.now().getTime() - milliseconds);
  const rows = await ctx.store.db
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.accountId, account.id),
        gt(sessions.lastSeenAt, before(sessionIdleMilliseconds)),
        gt(sessions.createdAt, before(sessionLongestMilliseconds)),
        olderThan(after, sessions.lastSeenAt, sessions.id),
      ),
    )
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(most);
  return rows.map(({ id, userAgent, address, createdAt, lastSeenAt }) => ({
    id,
    device: deviceName(userAgent),
    address,
    createdAt,
    lastSeenAt,
    current: id === session.id,
  }));
}

/** Ends one session of the account, possibly the current one. Refuses with `session_unknown`. */
export async function endSession(ctx: Ctx, requester: Requester, id: string): Promise<void> {
  authorize(requester, "session.end");
  const { account, browser } = requester;
  await commit(ctx.store, [
    ...mustBeSignedIn(ctx, requester),
    ctx.store.db.delete(sessions).where(and(eq(sessions.id, id), eq(sessions.accountId, account.id))),
    mustHaveChanged("session_unknown"),
    ...logRoutine(ctx, { code: "session.ended", accountId: account.id, browser }),
  ]);
}

/** Ends every other session of the account, and with `renewToken` those of its applications. */
export async function endOtherSessions(
  ctx: Ctx,
  requester: Requester,
  { renewToken = false } = {},
): Promise<void> {
  authorize(requester, "session.end");
  const { account, session, browser } = requester;
  await commit(ctx.store, [
    ...mustBeSignedIn(ctx, requester),
    ctx.store.db.delete(sessions).where(and(eq(sessions.accountId, account.id), ne(sessions.id, session.id))),
    ...(renewToken ? renewApiKey(ctx, account, browser) : []),
    ...logRoutine(ctx, { code: "session.others_ended", accountId: account.id, browser }),
  ]);
}
