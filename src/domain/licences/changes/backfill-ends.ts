import { and, asc, desc, eq, gt, gte, inArray, isNotNull, notExists, sql } from "drizzle-orm";
import { theShop } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, commitIfFirst } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { atBackgroundPace } from "@/core/base/yield";
import { auditLog } from "@/core/database/schema";
import { accounts } from "../../schema/accounts";
import { licences } from "../../schema/licences";
import { isEntitling } from "../entitlement/entitlement";
import {
  endsRule,
  endWrites,
  type AccountLicence,
  type AccountLicences,
  readAccountLicences,
} from "../entitlement/account-licences";
import { endsOf } from "../entitlement/time";

/*
 * Ends that were computed in the other Stripe mode count other licences. Each account is recomputed once: by the first
 * commit that changes its time, or by a job.
 */

/** When an account's last active licence ends: null is a lifetime, undefined without an active licence. */
type AccountEnd = Date | null | undefined;

const pageSize = 100;
const passedTogether = 10;

/** The periodic job that recomputes all accounts under the rule; afterwards it finds none. */
export async function backfillEnds(ctx: Ctx, stopping?: AbortSignal): Promise<void> {
  for (let after = ""; !stopping?.aborted;) {
    const page = await accountsUnderOtherRule(ctx, after);
    if (page.length === 0) break;
    for (let from = 0; from < page.length; from += passedTogether) {
      const ids = page.slice(from, from + passedTogether).map(({ id }) => id);
      await atBackgroundPace(() => skipTimeless(ctx, ids));
      // one at a time: commits of several would run in one turn, and a request would wait for all of them
      for (const id of ids) await atBackgroundPace(() => bringOne(ctx, id));
    }
    after = page.at(-1)?.id ?? "";
    if (page.length < pageSize) break;
  }
}

/** An account whose end the rule moves. */
export type EndChange = { username: string; before: AccountEnd; after: AccountEnd };

/** Accounts whose end the rule would move, at most `limit`. */
export async function endsToChange(ctx: Ctx, limit: number): Promise<EndChange[]> {
  const found: EndChange[] = [];
  for (let after = ""; found.length < limit;) {
    const page = await accountsUnderOtherRule(ctx, after);
    for (const { id, username } of page) {
      const owned = await readAccountLicences(ctx, id);
      const change = owned && changeOf(ctx, owned);
      if (change) found.push({ username, ...change });
    }
    after = page.at(-1)?.id ?? "";
    if (page.length < pageSize) break;
  }
  return found.slice(0, limit);
}

/** Accounts whose end the rule has moved, newest first. */
export async function endsChanged(ctx: Ctx, since: Date, limit: number): Promise<EndChange[]> {
  const rows = await ctx.store.db
    .select({ username: accounts.username, detail: auditLog.detail })
    .from(auditLog)
    .innerJoin(accounts, eq(accounts.id, auditLog.accountId))
    .where(and(eq(auditLog.action, endChanged), gte(auditLog.at, since)))
    .orderBy(desc(auditLog.at))
    .limit(limit);
  return rows.map(({ username, detail }) => ({
    username,
    before: readEnd(detail?.["before"]),
    after: readEnd(detail?.["after"]),
  }));
}

const accountsUnderOtherRule = ({ store: { db }, livemode }: Ctx, after: string) =>
  db
    .select({ id: accounts.id, username: accounts.username })
    .from(accounts)
    .where(and(eq(accounts.endsRule, endsRule({ livemode: !livemode })), gt(accounts.id, after)))
    .orderBy(asc(accounts.id))
    .limit(pageSize);

/** Accounts without a timed licence have no ends to recompute. */
const skipTimeless = (ctx: Ctx, ids: string[]): Promise<void> =>
  commit(ctx.store, [
    ctx.store.db
      .update(accounts)
      .set({ endsRule: endsRule(ctx) })
      .where(
        and(
          inArray(accounts.id, ids),
          notExists(
            ctx.store.db
              .select({ one: sql`1` })
              .from(licences)
              .where(and(eq(licences.accountId, accounts.id), isNotNull(licences.expiresAt))),
          ),
        ),
      ),
  ]);

async function bringOne(ctx: Ctx, accountId: string): Promise<void> {
  const owned = await readAccountLicences(ctx, accountId);
  if (owned && owned.endsRule !== endsRule(ctx)) await recompute(ctx, owned);
}

/** Does nothing if another commit came in between; this or the next run of the job reads the account again. */
async function recompute(ctx: Ctx, owned: AccountLicences): Promise<void> {
  const { accountId } = owned;
  const change = changeOf(ctx, owned);
  await commitIfFirst(ctx.store, [
    ...endWrites(ctx, owned, owned.licences).writes,
    ...(change
      ? [
          record(ctx, {
            actor: theShop,
            action: endChanged,
            subject: accountId,
            accountId,
            detail: { before: written(change.before), after: written(change.after) },
          }),
        ]
      : []),
  ]);
}

/** As stored in the audit log. */
const written = (end: AccountEnd) => (end === undefined ? "none" : (end?.toISOString() ?? "lifetime"));

const readEnd = (text: unknown): AccountEnd => {
  if (typeof text !== "string" || text === "none") return undefined;
  return text === "lifetime" ? null : new Date(text);
};

/** The audit log's name for an account whose end the rule moved. */
const endChanged = "licence.end_recalculated";

/** How the rule moves an account's end; null if it doesn't. */
function changeOf(ctx: Ctx, { licences: held }: AccountLicences) {
  const ends = endsOf(held, ctx);
  const before = accountEnd(ctx, held);
  const after = accountEnd(
    ctx,
    held.map((one) => ({ ...one, expiresAt: ends.get(one.id) ?? null })),
  );
  return before?.getTime() === after?.getTime() && (before === null) === (after === null)
    ? null
    : { before, after };
}

function accountEnd(ctx: Ctx, held: AccountLicence[]): AccountEnd {
  const active = held.filter((one) => isEntitling(ctx, one));
  if (active.length === 0) return undefined;
  if (active.some(({ expiresAt }) => expiresAt === null)) return null;
  return new Date(Math.max(...active.map(({ expiresAt }) => expiresAt?.getTime() ?? 0)));
}
