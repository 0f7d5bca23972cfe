import { and, desc, eq } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import { theShop } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import type { noPayload, Topic } from "@/core/database/topic";
import { shopTopics } from "../../outbox-topics";
import { checkSubscriptionsOfAccount } from "../../licences/changes/check-subscriptions";
import { queueRoleReconciliation, recomputeEndsWrites } from "../../licences/changes/entitlement-changed";
import { type Licence, licences } from "../../schema/licences";
import type { Payment } from "../../schema/payments";
import {
  type Subscription,
  type SubscriptionRun,
  subscriptionRuns,
  subscriptions,
  type SubscriptionStatus,
} from "../../schema/subscriptions";
import {
  billingMovedEmail,
  subscriptionEndedEmail,
  subscriptionEndingEmail,
  subscriptionPastDueEmail,
  subscriptionPausedEmail,
  subscriptionResumedEmail,
} from "../emails/subscription";
import { nextCheckAt } from "../state/next-check";
import type { Billed, givenBy } from "../state/seats";
import type { NextAmount } from "../state/next-charge";
import type { SubscriptionState } from "../state/subscription-state";
import type { SubscriptionFacts } from "../port/subscription-gateway";
import { statusAfterMoneyBack } from "../state/status-after-money-back";
import type { ShopFacts, DesiredChanges } from "../state/desired-changes";
import { isPaidFor } from "./trials";

type CheckedSubscription = {
  held: Subscription | null;
  facts: SubscriptionFacts;
  first: Payment;
  /** What was paid, newest period first. */
  paid: Payment[];
  state: SubscriptionState;
  nextAmount: NextAmount | null;
  /** What its price gives the licence, and what the licence has of it, since staff may have changed that. */
  billed: Billed;
  given: ReturnType<typeof givenBy>;
  wanted: DesiredChanges;
  shop: Pick<ShopFacts, "isDuplicate">;
  licence: Licence | null;
};

/** Writes what a subscription is now, and what its payments make of its licence. */
export async function storeSubscription(ctx: Ctx, checked: CheckedSubscription): Promise<Subscription> {
  const { held, facts, first, paid, state, shop, given, licence: was } = checked;
  const after = rowOf(ctx, checked);
  const { paymentStatus, fellAt } = statusAfterMoneyBack(paid);
  const entitledUntil = shop.isDuplicate && state.endedAt ? state.endedAt : state.entitledUntil;
  const licence = {
    paidUntil: entitledUntil,
    paymentStatus,
    paymentFellAt: fellAt,
    ...given,
  };
  const changesLicence = was !== null && differs(was, licence);
  const runs = await runWrites(ctx, after, {
    entitledUntil,
    isWorthless: facts.status === "trialing" || shop.isDuplicate,
    hadTrial: after.trial,
  });
  await commit(ctx.store, [
    storeRow(ctx, held, after),
    mustHaveChanged("conflict"),
    ...runs,
    ...auditWrites(ctx, held, after),
    // a subscription new to us, as after a restore: its customer was notified at the time
    ...(held === null
      ? []
      : [...emails(ctx, held, after), ...billingMovedWrites(ctx, held, { after, first })]),
    ...(held === null && first.accountId !== null ? checkOthersOf(ctx, after, first.accountId) : []),
    ...(changesLicence
      ? [
          ctx.store.db.update(licences).set(licence).where(eq(licences.primaryPaymentId, first.id)),
          ...(await recomputeEndsWrites(ctx, { paymentId: first.id }, (one) =>
            one.paymentId === first.id ? { ...one, ...licence } : one,
          )),
          queueRoleReconciliation(ctx, { paymentId: first.id }),
          ...licenceAuditWrites(ctx, { held, after, was, licence }),
        ]
      : []),
  ]);
  return after;
}

/** Checks what else the account has begun, since it may have only one subscription. */
const checkOthersOf = (ctx: Ctx, { id, endedAt }: Subscription, accountId: string): Write[] => [
  ...checkSubscriptionsOfAccount(ctx, accountId, id),
  ...(endedAt === null ? [enqueue(ctx, { topic: shopTopics.expireCheckouts, subject: accountId })] : []),
];

type LicenceColumns = Pick<Licence, "paidUntil" | "paymentStatus" | "paymentFellAt"> &
  ReturnType<typeof givenBy>;

type LicenceMove = { held: Subscription | null; after: Subscription; was: Licence; licence: LicenceColumns };

const differs = (is: Licence, wanted: LicenceColumns) =>
  is.level !== wanted.level ||
  is.devices !== wanted.devices ||
  wanted.staffLevel === null ||
  wanted.staffDevices === null ||
  is.paidUntil?.getTime() !== wanted.paidUntil?.getTime() ||
  is.paymentStatus !== wanted.paymentStatus ||
  is.paymentFellAt?.getTime() !== wanted.paymentFellAt?.getTime();

/** The entries of a licence's payment, end and computers, from which its webhooks follow. */
function licenceAuditWrites(ctx: Ctx, { held, after, was, licence }: LicenceMove): Write[] {
  const now = ctx.now();
  const [before, is] = [was.paidUntil, licence.paidUntil];
  const isSwitched = held !== null && held.offer !== after.offer;
  const switched = isSwitched || was.level !== licence.level || was.devices !== licence.devices;
  const later = held?.paidUntil && after.paidUntil && after.paidUntil > held.paidUntil;
  const hadLapsed = before !== null && before <= now;
  const cause = later ? (hadLapsed ? "paid_late" : "renewed") : "grace";
  const lapses =
    is !== null && is <= now && before !== null && before > now && licence.paymentStatus === "good";
  const entries: Write[] = [];
  if (was.paymentStatus !== licence.paymentStatus) {
    const detail = { before: was.paymentStatus, after: licence.paymentStatus };
    entries.push(record(ctx, { ...about(was), action: "licence.payment_changed", detail }));
  }
  if (switched) {
    const detail = { before: was.devices, after: licence.devices };
    entries.push(record(ctx, { ...about(was), action: "licence.switched", detail }));
  }
  if (before?.getTime() !== is?.getTime()) {
    const dates = { before: before?.toISOString() ?? null, after: is?.toISOString() ?? null };
    entries.push(record(ctx, { ...about(was), action: "licence.end_moved", detail: { ...dates, cause } }));
  }
  if (lapses) {
    const detail = { expires_at: is.toISOString() };
    entries.push(record(ctx, { ...about(was), action: "licence.lapsed", detail }));
  }
  return entries;
}

const about = ({ id: subject, accountId }: Pick<Licence, "id" | "accountId">) =>
  ({ actor: theShop, subject, accountId }) as const;

function rowOf(ctx: Ctx, checked: CheckedSubscription): Subscription {
  const { held, facts, first, paid, state, nextAmount, billed, wanted, shop, licence } = checked;
  const { status, renewsAt, endsAt, endedAt } = state;
  const { amount, price, cards } = facts;
  return {
    id: first.id,
    stripeId: facts.id,
    customerId: facts.customerId,
    // an erased buyer has none, and no card
    billingEmail: first.email && facts.billingEmail,
    // nothing entitles before it has begun, and then there is no row
    status: status === "pending" ? "active" : status,
    offer: price?.offer ?? billed.offer,
    item: facts.item,
    amount,
    currency: price?.currency ?? held?.currency ?? first.currency,
    every: price?.every ?? held?.every ?? first.every ?? "month",
    netAmount: facts.netAmount ?? Math.round(amount * (shareOf(held) ?? 1)),
    price: billed.price,
    level: billed.level,
    devices: billed.devices,
    paidUntil: state.paidUntil,
    nextAmount: nextAmount && nextAmount.amount,
    nextLacks: nextAmount && nextAmount.lacks,
    renewsAt,
    endsAt,
    endedAt,
    changesTo: facts.changes?.to ?? null,
    changesAt: facts.changes?.at ?? null,
    cardBrand: first.email && (facts.card?.brand ?? null),
    cardLast4: first.email && (facts.card?.last4 ?? null),
    // the previous card, until the new one was charged
    generalCard: wanted.charge ? (held?.generalCard ?? null) : (cards.general ?? ""),
    livemode: facts.livemode,
    // the key may be redeemed before there is a row
    accountId: held?.accountId ?? first.accountId ?? (licence?.redeemedByBuyer ? licence.accountId : null),
    erasedAt: held?.erasedAt ?? null,
    startedAt: facts.startedAt,
    // a duplicate, which is refunded right away, counts as neither won nor lost
    trial: first.trialDays !== null && !shop.isDuplicate,
    firstPaidAt: shop.isDuplicate ? null : firstPaidAt(first, paid),
    checkedAt: ctx.now(),
    nextCheckAt: nextCheckAt(facts, state, { wanted, now: ctx.now() }),
    remindedOf: held?.remindedOf ?? null,
    version: (held?.version ?? -1) + 1,
  };
}

/** A trial's own payment pays nothing, nor does that of a switch within it. */
function firstPaidAt(first: Payment, paid: Payment[]): Date | null {
  const paying = first.trialDays === null ? [first] : paid.filter(isPaidFor);
  const times = paying.flatMap(({ paidAt, soldAt }) => (paidAt ?? soldAt)?.getTime() ?? []);
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** The share of its price that was left after codes at the last check. */
const shareOf = (held: Subscription | null): number | null =>
  held && held.amount > 0 ? held.netAmount / held.amount : null;

/** Changes nothing if another process has changed the row meanwhile. */
const storeRow = ({ store: { db } }: Ctx, held: Subscription | null, after: Subscription): Write =>
  held
    ? db
        .update(subscriptions)
        .set(after)
        .where(and(eq(subscriptions.id, held.id), eq(subscriptions.version, held.version)))
    : db.insert(subscriptions).values(after).onConflictDoNothing();

/** The email sent when a status begins; delivery checks that the status still holds. */
const emailOf: Partial<Record<SubscriptionStatus, Topic<typeof noPayload>>> = {
  past_due: subscriptionPastDueEmail,
  ending: subscriptionEndingEmail,
  paused: subscriptionPausedEmail,
  ended: subscriptionEndedEmail,
};

function emails(ctx: Ctx, before: Subscription, { id, status, endsAt }: Subscription): Write[] {
  const isCanceledUnpaid = status === "past_due" && before.endsAt === null && endsAt !== null;
  const isResumed = before.status === "ending" && (status === "active" || status === "trialing");
  const begun = before.status === status ? undefined : isResumed ? subscriptionResumedEmail : emailOf[status];
  const topics = [begun, isCanceledUnpaid ? subscriptionEndingEmail : undefined];
  return topics.flatMap((topic) => (topic ? [enqueue(ctx, { topic, subject: id })] : []));
}

/** No email if staff corrected the address together with the order. */
function billingMovedWrites(
  ctx: Ctx,
  { billingEmail: former }: Subscription,
  { after: { id, billingEmail }, first }: { after: Subscription; first: Payment },
): Write[] {
  if (former === null || billingEmail === null || addressKey(former) === addressKey(billingEmail)) return [];
  if (first.email !== null && addressKey(first.email) === addressKey(billingEmail)) return [];
  const payload = { former, at: ctx.now().getTime() };
  return [enqueue(ctx, { topic: billingMovedEmail, subject: id, payload })];
}

/** The log entries for a change of its status or offer. */
function auditWrites(ctx: Ctx, before: Subscription | null, after: Subscription): Write[] {
  const entries: Write[] = [];
  if (before?.status !== after.status) {
    const detail = { before: before?.status ?? null };
    entries.push(record(ctx, { ...about(after), action: `subscription.${after.status}`, detail }));
  }
  if (before !== null && before.offer !== after.offer) {
    const detail = { before: before.offer, after: after.offer };
    entries.push(record(ctx, { ...about(after), action: "subscription.changed", detail }));
  }
  return entries;
}

/** What counts of a subscription from now on, and until when, if that is known. */
type Worth = Pick<SubscriptionRun, "offer" | "level" | "currency" | "yearly" | "until">;

/**
 * The writes that bring a subscription's runs to what it is now. Trials, pauses and duplicates are worth nothing; one
 * that is past due counts until its grace ends.
 */
async function runWrites(
  ctx: Ctx,
  subscription: Subscription,
  { entitledUntil, isWorthless, hadTrial }: { entitledUntil: Date; isWorthless: boolean; hadTrial: boolean },
): Promise<Write[]> {
  const { db } = ctx.store;
  const [last] = await db
    .select()
    .from(subscriptionRuns)
    .where(eq(subscriptionRuns.subscriptionId, subscription.id))
    .orderBy(desc(subscriptionRuns.from))
    .limit(1);
  const now = ctx.now();
  const until = isWorthless ? subscription.startedAt : endOf(subscription, entitledUntil);
  const isRunning = last !== undefined && (last.until === null || last.until > now);
  if (until !== null && until <= now) return isRunning ? [end(ctx, last, until)] : [];
  const { offer, level, currency, every, netAmount } = subscription;
  const worth: Worth = {
    offer,
    level,
    currency,
    yearly: every === "year" ? netAmount : 12 * netAmount,
    until,
  };
  if (isRunning && isSame(last, worth)) {
    return last.until?.getTime() === worth.until?.getTime() ? [] : [end(ctx, last, worth.until)];
  }
  // without a trial, the first run began with the subscription
  const from = last || hadTrial ? now : earlier(subscription.startedAt, now);
  return [
    ...(isRunning ? [end(ctx, last, now)] : []),
    db
      .insert(subscriptionRuns)
      .values({ ...worth, subscriptionId: subscription.id, livemode: subscription.livemode, from })
      .onConflictDoUpdate({
        target: [subscriptionRuns.subscriptionId, subscriptionRuns.from],
        set: worth,
      }),
  ];
}

/** Until when it is worth its price, as far as that is known; the past if it is worth nothing. */
function endOf({ status, endsAt, endedAt, checkedAt }: Subscription, entitledUntil: Date): Date | null {
  if (status === "active") return null;
  if (status === "ending") return endsAt;
  return status === "past_due" ? entitledUntil : earlier(endedAt, checkedAt);
}

const isSame = (run: SubscriptionRun, worth: Worth) =>
  run.offer === worth.offer &&
  run.level === worth.level &&
  run.currency === worth.currency &&
  run.yearly === worth.yearly;

const earlier = (one: Date | null, other: Date) => (one && one < other ? one : other);

const end = ({ store: { db } }: Ctx, { subscriptionId, from }: SubscriptionRun, until: Date | null): Write =>
  db
    .update(subscriptionRuns)
    .set({ until })
    .where(and(eq(subscriptionRuns.subscriptionId, subscriptionId), eq(subscriptionRuns.from, from)));
