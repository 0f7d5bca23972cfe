import { and, asc, desc, eq, gt, gte, inArray, isNotNull, notExists, sql } from "drizzle-orm";
import { day, minute } from "@/contract/time";
import { theShop } from "@/core/actor";
import { record } from "@/core/audit";
import { commit } from "@/core/commit";
import { commitIfFirst } from "@/core/conflict";
import type { Ctx } from "@/core/context";
import { withRest } from "@/core/others-turn";
import { auditLog } from "@/core/schema";
import { accounts } from "../schema/accounts";
import { licences } from "../schema/licences";
import { isEntitling } from "./entitlement";
import { endsRule, endWrites, type Held, type Holding, holdingOf } from "./holding";
import { endsOf, fellAt } from "./time";

/*
 * Ends that an earlier release stored depended on the order of events, and those of the other Stripe mode count other
 * licences. Each account is recomputed once: by the first commit that changes its time, or by a job.
 */

/** When an account's last active licence ends: null is a lifetime, undefined without an active licence. */
type AccountEnd = Date | null | undefined;

/** `accounts.endsRule` of ends that an earlier release stored. */
const fromBefore = 0;

/** An account's holding, with ends that follow the rule; null if the account doesn't exist. */
export async function holdingUnderRule(ctx: Ctx, accountId: string): Promise<Holding | null> {
  for (;;) {
    const holding = await holdingOf(ctx, accountId);
    if (holding?.endsRule !== fromBefore) return holding;
    await bring(ctx, holding);
  }
}

const pageSize = 100;
const passedTogether = 10;

/** The periodic job that recomputes all accounts under the rule; afterwards it finds none. */
export async function bringEndsUnderRule(ctx: Ctx, stopping?: AbortSignal): Promise<void> {
  for (const rule of otherRules(ctx)) {
    for (let after = ""; !stopping?.aborted;) {
      const page = await accountsUnder(ctx, rule, after);
      if (page.length === 0) break;
      for (let from = 0; from < page.length; from += passedTogether) {
        const ids = page.slice(from, from + passedTogether).map(({ id }) => id);
        await withRest(() => skipTimeless(ctx, ids));
        // one at a time: commits of several would run in one turn, and a request would wait for all of them
        for (const id of ids) await withRest(() => bringOne(ctx, id));
      }
      after = page.at(-1)?.id ?? "";
      if (page.length < pageSize) break;
    }
  }
}

/** An account whose end the rule moves. */
export type EndChange = { username: string; before: AccountEnd; after: AccountEnd };

/** Accounts whose end the rule would move by a minute or more, at most `limit`. */
export async function endsToChange(ctx: Ctx, limit: number): Promise<EndChange[]> {
  const found: EndChange[] = [];
  for (const rule of otherRules(ctx)) {
    for (let after = ""; found.length < limit;) {
      const page = await accountsUnder(ctx, rule, after);
      for (const { id, username } of page) {
        const holding = await holdingOf(ctx, id);
        const change = holding && planFor(ctx, holding).change;
        if (change) found.push({ username, ...change });
      }
      after = page.at(-1)?.id ?? "";
      if (page.length < pageSize) break;
    }
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

const otherRules = (ctx: Ctx) => [fromBefore, endsRule({ livemode: !ctx.livemode })];

const accountsUnder = ({ store: { db } }: Ctx, rule: number, after: string) =>
  db
    .select({ id: accounts.id, username: accounts.username })
    .from(accounts)
    .where(and(eq(accounts.endsRule, rule), gt(accounts.id, after)))
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
  const holding = await holdingOf(ctx, accountId);
  if (holding && holding.endsRule !== endsRule(ctx)) await bring(ctx, holding);
}

/** Does nothing if another commit came in between; this or the next run of the job reads the account again. */
async function bring(ctx: Ctx, holding: Holding): Promise<void> {
  const { accountId } = holding;
  const { kept, after, change } = planFor(ctx, holding);
  await commitIfFirst(ctx.store, [
    ...endWrites(ctx, holding, after).writes,
    ...[...kept].map(([id, fixedEndsAt]) =>
      ctx.store.db.update(licences).set({ fixedEndsAt }).where(eq(licences.id, id)),
    ),
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

/** Earlier releases read the clock twice for one redemption. */
const sameMilliseconds = minute;

/**
 * An account's holding under the rule. If no licence was ever taken away, never moves a stored end back: staff may have
 * set it in a way that left no trace.
 */
function planFor(ctx: Ctx, { licences: held, endsRule: rule }: Holding) {
  const kept =
    rule === fromBefore && held.every((one) => !fellAt(one)) ? laterAsStored(ctx, held) : new Map();
  const after = held.map((one) => ({ ...one, fixedEndsAt: kept.get(one.id) ?? one.fixedEndsAt }));
  const ends = endsOf(after, ctx);
  const before = accountEnd(ctx, held);
  const then = accountEnd(
    ctx,
    held.map((one) => ({ ...one, expiresAt: ends.get(one.id) ?? null })),
  );
  const isMoved = Math.abs(at(then) - at(before)) >= sameMilliseconds;
  return { kept, after, change: isMoved ? { before, after: then } : null };
}

/** The stored ends that the rule would move back, without the days that staff added, which follow them. */
function laterAsStored(ctx: Ctx, held: Held[]): Map<string, Date> {
  const ends = endsOf(held, ctx);
  return new Map(
    held.flatMap(({ id, expiresAt, extensions }) => {
      const end = ends.get(id);
      if (!expiresAt || !end || expiresAt.getTime() - end.getTime() < sameMilliseconds) return [];
      const added = extensions.reduce((days, one) => days + one.days, 0);
      return [[id, new Date(expiresAt.getTime() - added * day)] as const];
    }),
  );
}

function accountEnd(ctx: Ctx, held: Held[]): AccountEnd {
  const active = held.filter((one) => isEntitling(ctx, one));
  if (active.length === 0) return undefined;
  if (active.some(({ expiresAt }) => expiresAt === null)) return null;
  return new Date(Math.max(...active.map(({ expiresAt }) => expiresAt?.getTime() ?? 0)));
}

/** For an account without an active licence, the beginning of time. */
const at = (end: AccountEnd) => (end === undefined ? 0 : (end?.getTime() ?? Number.MAX_SAFE_INTEGER));
