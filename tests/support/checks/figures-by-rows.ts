/** The figures by the contract, computed from the rows of the facts alone and without sums or time zones' shortcuts. */
import type { Ctx } from "@/core/database/context";
import { accounts } from "@/domain/schema/accounts";
import { auditLog } from "@/core/database/schema";
import { licences } from "@/domain/schema/licences";
import { disputes, stripeRefunds } from "@/domain/schema/money-back";
import { offers } from "@/domain/schema/offers";
import { payments } from "@/domain/schema/payments";
import { subscriptionRuns, subscriptions } from "@/domain/schema/subscriptions";

type Wanted = {
  from: string;
  to: string;
  tz: string;
  currency: string;
  offer?: string | undefined;
  level?: string;
};

/** All rows, read once for several questions. */
export async function readFacts({ store: { db } }: Ctx) {
  const [sold, refunded, disputed, held, people, subscribed, runs, log, known] = await Promise.all([
    db.select().from(payments),
    db.select().from(stripeRefunds),
    db.select().from(disputes),
    db.select().from(licences),
    db.select().from(accounts),
    db.select().from(subscriptions),
    db.select().from(subscriptionRuns),
    db.select().from(auditLog),
    db.select().from(offers),
  ]);
  const recurs = known.some(({ every }) => every !== null);
  return { sold, refunded, disputed, held, people, subscribed, runs, log, recurs };
}

export type Facts = Awaited<ReturnType<typeof readFacts>>;

/** What the figures of some days should be; `lost` counts checkouts and accounts whose rows are gone. */
export function figuresByRows(
  { livemode, now }: Pick<Ctx, "livemode" | "now">,
  { sold, refunded, disputed, held, people, runs, recurs }: Facts,
  { from, to, tz, currency, offer, level }: Wanted,
  lost: { checkouts: { at: Date; offer: string }[]; accounts: Date[] } = { checkouts: [], accounts: [] },
) {
  const dayOf = new Intl.DateTimeFormat("en-CA", { timeZone: tz, dateStyle: "short" });
  const isIn = (at: Date | null): boolean => {
    if (!at) return false;
    const date = dayOf.format(at);
    return date >= from && date <= to;
  };
  const offerOf = ({ offer: own }: { offer: string | null }) => own ?? "premium";
  const isOf = (one: { level: string | null }) => !level || one.level === level;
  const ours = sold.filter(
    (one) => one.livemode === livemode && (!offer || offerOf(one) === offer) && isOf(one),
  );
  const given = new Map(ours.filter(({ soldAt }) => soldAt).map((one) => [one.id, one]));
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const paid = [...given.values()].filter((one) => one.currency === currency && isIn(one.paidAt));
  const gross = sum(paid.map(({ paidAmount, unitAmount }) => paidAmount ?? unitAmount));
  const back = refunded.filter((one) => given.has(one.paymentId) && one.currency === currency);
  const taken = disputed.filter((one) => given.has(one.paymentId) && one.currency === currency);
  const refunds = sum(
    back.filter(({ status, at }) => status === "succeeded" && isIn(at)).map(({ amount }) => amount),
  );
  const inDispute =
    sum(taken.filter(({ takenAt }) => isIn(takenAt)).map(({ amount }) => amount)) -
    sum(taken.filter(({ returnedAt }) => isIn(returnedAt)).map(({ amount }) => amount));
  const begun =
    ours.filter((one) => one.currency === currency && isIn(one.createdAt)).length +
    lost.checkouts.filter((one) => isIn(one.at) && (!offer || one.offer === offer)).length;
  // the end of the last day, found without arithmetic on offsets
  const isPast = (at: Date) => dayOf.format(at) <= to && at <= now();
  const active = held.filter((licence) => {
    if (licence.livemode !== null && licence.livemode !== livemode) return false;
    if ((offer && licence.offer !== offer) || !isOf(licence)) return false;
    const ends = [
      licence.expiresAt,
      licence.paymentStatus === "good" ? null : (licence.paymentFellAt ?? new Date(0)),
      licence.suspendedAt,
      licence.revokedAt,
    ].flatMap((end) => end ?? []);
    const { redeemedAt } = licence;
    if (!redeemedAt || !isPast(redeemedAt) || ends.some((end) => end <= redeemedAt)) return false;
    return !ends.some(isPast);
  }).length;
  const yearly = runs
    .filter(
      (run) =>
        run.livemode === livemode &&
        run.currency === currency &&
        (!offer || run.offer === offer) &&
        isOf(run),
    )
    .filter((run) => isPast(run.from) && !(run.until && isPast(run.until)))
    .map((run) => run.yearly);
  return {
    gross,
    refunded: refunds,
    disputed: inDispute,
    net: gross - refunds - inDispute,
    payments: paid.length,
    orders: paid.length,
    checkouts: begun,
    average: paid.length === 0 ? null : Math.round(gross / paid.length),
    conversion: begun === 0 ? null : paid.length / begun,
    new_accounts: offer
      ? null
      : people.filter(({ createdAt }) => isIn(createdAt)).length + lost.accounts.filter(isIn).length,
    active_licences: active,
    mrr: recurs ? Math.round(sum(yearly) / 12) : null,
  };
}

/** What the figures of subscriptions of some days should be. */
export function subscriptionFiguresByRows(
  { livemode, now }: Pick<Ctx, "livemode" | "now">,
  { subscribed, runs, log, recurs }: Facts,
  { from, to, tz, currency, offer }: Wanted,
) {
  if (!recurs) return null;
  const dayOf = new Intl.DateTimeFormat("en-CA", { timeZone: tz, dateStyle: "short" });
  const isIn = (at: Date | null) => at !== null && dayOf.format(at) >= from && dayOf.format(at) <= to;
  const isOurs = (one: { livemode: boolean; currency: string; offer: string }) =>
    one.livemode === livemode && one.currency === currency && (!offer || one.offer === offer);
  const running = (isPast: (at: Date) => boolean) =>
    runs.filter((run) => isOurs(run) && isPast(run.from) && !(run.until && isPast(run.until))).length;
  const start = running((at) => dayOf.format(at) < from && at <= now());
  const ours = subscribed.filter(isOurs);
  const ended = ours.filter((one) => isIn(one.endedAt) && one.firstPaidAt !== null).length;
  const trials = ours.filter((one) => isIn(one.startedAt) && one.trial);
  const isOfOurs = ({ subject }: { subject: string }) => ours.some(({ id }) => id === subject);
  const failed = log.filter(
    (entry) => entry.action === "subscription.past_due" && isIn(entry.at) && isOfOurs(entry),
  );
  const recovered = failed.filter(({ subject, at }) =>
    log.some(
      (entry) =>
        entry.subject === subject &&
        (entry.action === "subscription.active" || entry.action === "subscription.ending") &&
        entry.at >= at &&
        entry.detail?.["before"] === "past_due",
    ),
  );
  return {
    from,
    to,
    tz,
    currency,
    running: { start, end: running((at) => dayOf.format(at) <= to && at <= now()) },
    started: ours.filter(({ firstPaidAt }) => isIn(firstPaidAt)).length,
    ended,
    churn: start === 0 ? null : ended / start,
    trials: {
      begun: trials.length,
      paid: trials.filter(({ firstPaidAt }) => firstPaidAt !== null).length,
      running: trials.filter(({ status }) => status === "trialing").length,
    },
    payments: { failed: failed.length, recovered: recovered.length },
    more: false,
  };
}
