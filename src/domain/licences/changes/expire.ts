import { and, asc, inArray, lte, sql } from "drizzle-orm";
import { theShop } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, commitIfFirst, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { factOf, replaceFact } from "@/core/database/key-values";
import { newerThan, type Place } from "@/core/database/pages";
import { keyValues } from "@/core/database/schema";
import { yieldToEventLoop } from "@/core/base/yield";
import { type Licence, licences } from "../../schema/licences";
import { changeClock, endIsUncounted } from "../../schema/changes";
import { hasRunOut } from "../entitlement/time";

const cursorName = "licences.expired";
const pageSize = 100;

/**
 * The periodic job that logs which licences have expired since its last run; the first run only sets the cursor.
 * Commits that move an end into the past log it themselves.
 */
export async function logExpired(ctx: Ctx, stopping?: AbortSignal): Promise<void> {
  const stored = await factOf(ctx, cursorName);
  if (stored === null) {
    const value = JSON.stringify({ at: ctx.now().getTime(), id: "" } satisfies Cursor);
    await ctx.store.db.insert(keyValues).values({ name: cursorName, value }).onConflictDoNothing();
    return;
  }
  for (let from: string | null = stored; from !== null;) {
    from = await logPage(ctx, from);
    await yieldToEventLoop();
    if (stopping?.aborted) return;
  }
}

type Cursor = { at: number; id: string };

/**
 * Logs a page of expired licences and advances the cursor in one commit; resolves to the cursor if there may be more.
 */
async function logPage(ctx: Ctx, stored: string): Promise<string | null> {
  const { at, id } = JSON.parse(stored) as Cursor;
  const place: Place = { at: new Date(at), id };
  const { db } = ctx.store;
  const now = ctx.now();
  const passed = await db
    .select()
    .from(licences)
    .where(and(newerThan(place, licences.expiresAt, licences.id), lte(licences.expiresAt, now)))
    .orderBy(asc(licences.expiresAt), asc(licences.id))
    .limit(pageSize);
  const last = passed.at(-1);
  if (!last?.expiresAt) return null;
  const value = JSON.stringify({ at: last.expiresAt.getTime(), id: last.id } satisfies Cursor);
  await commitIfFirst(ctx.store, [
    ...replaceFact(ctx, cursorName, { before: stored, after: value }),
    ...passed.filter((licence) => hasRunOut(licence, now)).map((licence) => expiryEntry(ctx, licence)),
  ]);
  return passed.length < pageSize ? null : value;
}

function expiryEntry(ctx: Ctx, { id, accountId, expiresAt, paidUntil }: Licence): Write {
  const detail = { expires_at: expiresAt?.toISOString() ?? "" };
  const action = paidUntil === null ? "licence.expired" : "licence.lapsed";
  return record(ctx, { actor: theShop, action, subject: id, accountId, detail });
}

const endsAtOnce = 200;

/**
 * Counts licence ends that have passed as changes, so that lists of changes include them: nothing else writes when an
 * end passes. Works a page at a time, and requests are served in between.
 */
export async function countEnds(ctx: Ctx, stopping?: AbortSignal): Promise<void> {
  const { db } = ctx.store;
  const now = ctx.now().getTime();
  while (!stopping?.aborted) {
    const page = await db
      .select({ id: licences.id })
      .from(licences)
      .where(and(endIsUncounted, lte(licences.expiresAt, new Date(now))))
      .orderBy(asc(licences.expiresAt))
      .limit(endsAtOnce);
    const ids = page.map(({ id }) => id);
    if (ids.length === 0) return;
    await commit(ctx.store, [
      // never before the end itself, even if the database's clock is behind
      db.update(changeClock).set({ last: sql`max(${changeClock.last} + 1, ${now * 1000})` }),
      db
        .update(licences)
        .set({ changed: sql`(SELECT last FROM change_clock)` })
        .where(and(inArray(licences.id, ids), endIsUncounted)),
    ]);
    await yieldToEventLoop();
  }
}
