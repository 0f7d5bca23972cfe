import { and, eq, exists, gte, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { FiguresOfSubscriptions } from "@/contract/wire/desk/figures";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { auditLog } from "@/core/database/schema";
import { authorize } from "../permissions";
import { beganWithTrial, subscriptions } from "../schema/subscriptions";
import { type TimeSpan, timeSpanOf } from "./buckets";
import { zeroSums } from "./facts";
import { type Range, rangeOf } from "./figures";
import { inParts } from "./in-parts";
import { aboutOf, expectOffer, hasRecurringOffers } from "./scope";
import { readFigures, sumsIn } from "./sums";

type Question = Range & { offer?: string | undefined };
/** Whose rows count: those of one mode and currency, and perhaps of one offer. */
type Filter = { currency: string; offer: string | undefined };

/** How many rows are read at most for each figure. */
const mostRows = 100_000;

/** How subscriptions began, went on and ended over some days; null where no offer ever recurred. */
export async function subscriptionFigures(
  ctx: Ctx,
  asking: Actor | { actor: Actor },
  question: Question,
): Promise<FiguresOfSubscriptions | null> {
  authorize(asking, "figures.read");
  const range = rangeOf(ctx, question);
  const { offer } = question;
  const reading = await readFigures(ctx, question.currency);
  if (offer !== undefined) await expectOffer(ctx, offer);
  if (!(await hasRecurringOffers(ctx))) return null;
  const stretch = timeSpanOf(range, range.tz);
  const { currency } = reading;
  const filter = { currency, offer };
  const [before = zeroSums, within = zeroSums] = await sumsIn(reading, aboutOf(offer), [
    { from: 0, until: stretch.from },
    stretch,
  ]);
  const [start, end] = [before.running, before.running + within.running];
  const started = await flaggedIn(ctx, stretch, firstPaid(ctx, filter));
  const churned = await flaggedIn(ctx, stretch, endedSubscriptions(ctx, filter));
  const trials = await flaggedIn(ctx, stretch, begunTrials(ctx, filter));
  const failed = await flaggedIn(ctx, stretch, failedRenewals(ctx, filter));
  return {
    ...range,
    currency,
    running: { start, end },
    started: started.count,
    ended: churned.count,
    churn: start === 0 ? null : churned.count / start,
    trials: { begun: trials.count, paid: trials.flagged("isPaid"), running: trials.flagged("isRunning") },
    payments: { failed: failed.count, recovered: failed.flagged("isRecovered") },
    more: [started, churned, trials, failed].some(({ more }) => more),
  };
}

/** Rows with a time, of which those that are `counted` count, and what else is asked about them. */
type FlaggedQuery<Flag extends string> = {
  at: SQLiteColumn;
  which?: SQL;
  counted: SQL | undefined;
  /** About how many rows one statement reads. */
  together?: number;
  flags?: Record<Flag, SQL>;
};

async function flaggedIn<Flag extends string = never>(
  ctx: Ctx,
  stretch: TimeSpan,
  { at, which, counted, together, flags }: FlaggedQuery<Flag>,
) {
  const asked = Object.entries<SQL>(flags ?? {});
  const row = sql`json_array(${sql.join(
    [counted, ...asked.map(([, flag]) => flag)].map((flag) => sql`(${flag})`),
    sql`, `,
  )})`;
  const { rows, more } = await inParts(
    ctx,
    stretch,
    { row, at, which, together, most: mostRows },
    (flag: number[]) => flag,
  );
  const found = rows.filter(([counts]) => counts === 1);
  const flagged = (name: Flag) => {
    const place = 1 + asked.findIndex(([one]) => one === name);
    return found.filter((row) => row[place] === 1).length;
  };
  return { count: found.length, flagged, more };
}

const firstPaid = (ctx: Ctx, filter: Filter): FlaggedQuery<never> => ({
  at: subscriptions.firstPaidAt,
  counted: isOurs(ctx, filter),
});

const endedSubscriptions = (ctx: Ctx, filter: Filter): FlaggedQuery<never> => ({
  at: subscriptions.endedAt,
  counted: and(isOurs(ctx, filter), isNotNull(subscriptions.firstPaidAt)),
});

const begunTrials = (ctx: Ctx, filter: Filter): FlaggedQuery<"isPaid" | "isRunning"> => ({
  at: subscriptions.startedAt,
  which: beganWithTrial,
  counted: isOurs(ctx, filter),
  flags: { isPaid: isNotNull(subscriptions.firstPaidAt), isRunning: eq(subscriptions.status, "trialing") },
});

/** From the audit log. Paying what was due makes it active again, or `ending` if it was cancelled meanwhile. */
function failedRenewals(ctx: Ctx, filter: Filter): FlaggedQuery<"isRecovered"> {
  const later = alias(auditLog, "later");
  const isKnown = exists(
    ctx.store.db
      .select({ one: sql`1` })
      .from(subscriptions)
      .where(and(eq(subscriptions.id, auditLog.subject), isOurs(ctx, filter))),
  );
  const isRecovered = exists(
    ctx.store.db
      .select({ one: sql`1` })
      .from(later)
      .where(
        and(
          eq(later.subject, auditLog.subject),
          inArray(later.action, ["subscription.active", "subscription.ending"]),
          gte(later.at, auditLog.at),
          sql`${later.detail} ->> 'before' = 'past_due'`,
        ),
      ),
  );
  return {
    at: auditLog.at,
    which: eq(auditLog.action, "subscription.past_due"),
    counted: isKnown,
    // each looks up its subscription and what came later
    together: 200,
    flags: { isRecovered },
  };
}

const isOurs = (ctx: Ctx, { currency, offer }: Filter) =>
  and(
    eq(subscriptions.livemode, ctx.livemode),
    eq(subscriptions.currency, currency),
    offer === undefined ? undefined : eq(subscriptions.offer, offer),
  );
