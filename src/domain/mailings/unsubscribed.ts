import { asc, eq, gte, inArray } from "drizzle-orm";
import { addressKey } from "@/contract/addresses";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { factOf, keepFact } from "@/core/key-values";
import { accounts } from "../schema/accounts";
import { payments } from "../schema/payments";
import { unsubscribed } from "../schema/unsubscribed";

/** The hash under which an address's choice is stored: by the oldest retained key, so that it never changes. */
export const wishOf = (ctx: Ctx, email: string): string =>
  ctx.secrets.fingerprints("undo", `address:${addressKey(email)}`).at(-1) ?? "";

/** Since when each of these addresses is unsubscribed; at most a few hundred at once. */
export async function unsubscribedAmong(ctx: Ctx, emails: string[]): Promise<Map<string, Date>> {
  if (emails.length === 0) return new Map();
  const hashes = new Map(emails.map((email) => [email, wishOf(ctx, email)]));
  const rows = await ctx.store.db
    .select()
    .from(unsubscribed)
    .where(inArray(unsubscribed.addressHash, [...new Set(hashes.values())]));
  const since = new Map(rows.map(({ addressHash, at }) => [addressHash, at]));
  return new Map(
    [...hashes].flatMap(([email, hash]) => {
      const at = since.get(hash);
      return at ? [[email, at] as const] : [];
    }),
  );
}

/** Since when an address is unsubscribed; null if it is not. */
export async function unsubscribedSince(ctx: Ctx, email: string): Promise<Date | null> {
  const [row] = await ctx.store.db
    .select()
    .from(unsubscribed)
    .where(eq(unsubscribed.addressHash, wishOf(ctx, email)));
  return row?.at ?? null;
}

/** Rows per commit; requests wait while it is written. */
const pageSize = 200;

/**
 * Imports what the release before stored with accounts and payments, before the shop answers: all of it once, and later
 * what that release stored since, if it ran in between.
 */
export async function takeOverUnsubscribed(ctx: Ctx): Promise<void> {
  const until = await factOf(ctx, takenOver);
  const since = until ? new Date(until) : new Date(0);
  const newest = [await takeOver(ctx, accounts, since), await takeOver(ctx, payments, since)];
  const last = new Date(Math.max(...newest.map((at) => at.getTime())));
  if (last > since) await commit(ctx.store, [keepFact(ctx, takenOver, last.toISOString())]);
}

const takenOver = "unsubscribed_until";

/** Resolves to the newest choice imported. */
async function takeOver(ctx: Ctx, table: typeof accounts | typeof payments, since: Date): Promise<Date> {
  for (let from = since; ;) {
    const rows = await ctx.store.db
      .select({ email: table.email, at: table.unsubscribedAt })
      .from(table)
      .where(gte(table.unsubscribedAt, new Date(from.getTime() + 1)))
      .orderBy(asc(table.unsubscribedAt))
      .limit(pageSize);
    await commit(
      ctx.store,
      rows.flatMap(({ email, at }) =>
        email && at
          ? [
              ctx.store.db
                .insert(unsubscribed)
                .values({ addressHash: wishOf(ctx, email), at })
                .onConflictDoNothing(),
            ]
          : [],
      ),
    );
    const last = rows.at(-1)?.at ?? from;
    if (rows.length < pageSize) return last;
    // the next page begins with the same moment again: one click gave it to all orders of an address
    const before = new Date(last.getTime() - 1);
    from = before > from ? before : last;
  }
}
