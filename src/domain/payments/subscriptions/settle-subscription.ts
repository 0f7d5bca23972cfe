import { and, desc, eq } from "drizzle-orm";
import { theShop } from "@/core/actor";
import { record } from "@/core/audit";
import { commit, mustHaveChanged, type Write } from "@/core/commit";
import { retryOnConflict } from "@/core/conflict";
import { type Ctx, newId } from "@/core/context";
import { enqueue } from "@/core/outbox";
import { shopTopics } from "@/core/outbox-topics";
import { memberChanged } from "../../licences/member-changed";
import { timeChanged } from "../../licences/time-changed";
import { licences } from "../../schema/licences";
import { type Payment, payments } from "../../schema/payments";
import { type Subscription, subscriptions } from "../../schema/subscriptions";
import type { CheckoutGateway } from "../checkout/checkout";
import { subscriptionEndedEmail } from "../emails/subscription-ended";
import { subscriptionEndingEmail } from "../emails/subscription-ending";
import { subscriptionPastDueEmail } from "../emails/subscription-past-due";
import { type Judged, judge } from "./judge";
import { runWrites } from "./runs";
import { placesAfterSwitch } from "./places";
import { endSeconds } from "./second";
import { standingOf } from "./standing";
import type { SubscriptionFacts } from "./subscription-gateway";

/** How a payment is settled; `settle` itself would look at the subscription again. */
type SettlePayment = (sessionId: string) => Promise<Payment | null>;

/**
 * Brings a subscription, its payments and its licence to what Stripe holds now. Webhooks, the result page, the daily
 * look and `shop subscriptions sync` all come here, in any order, any number of times. Resolves to null if this shop
 * did not sell the subscription.
 */
export const settleSubscription = (
  ctx: Ctx,
  gateway: CheckoutGateway,
  { stripeId, settlePayment }: { stripeId: string; settlePayment: SettlePayment },
): Promise<Subscription | null> =>
  retryOnConflict(async () => {
    // our row first: a settlement that ends meanwhile makes this commit fail, whose answer may be older
    const held = await subscriptionOf(ctx, stripeId);
    const facts = await gateway.readSubscription(stripeId);
    if (!facts) return held;
    const first = await firstPayment(ctx, stripeId, async () => {
      const session = await gateway.sessionOfSubscription(stripeId);
      if (session) await settlePayment(session);
    });
    if (!first?.soldAt) return held;
    await takeInInvoices(ctx, { facts, first, settlePayment });
    return follow(ctx, { held, facts, first });
  });

async function subscriptionOf({ store }: Ctx, stripeId: string): Promise<Subscription | null> {
  const [found] = await store.db.select().from(subscriptions).where(eq(subscriptions.stripeId, stripeId));
  return found ?? null;
}

/** The payment that began it, found at Stripe if we don't hold it. */
async function firstPayment(ctx: Ctx, stripeId: string, find: () => Promise<void>): Promise<Payment | null> {
  const held = async () => (await paymentsOf(ctx, stripeId)).find((one) => !isRenewal(one)) ?? null;
  const known = await held();
  if (known) return known;
  await find();
  return held();
}

/** The payments of a subscription, newest period first. */
const paymentsOf = ({ store }: Ctx, stripeId: string): Promise<Payment[]> =>
  store.db
    .select()
    .from(payments)
    .where(eq(payments.subscription, stripeId))
    .orderBy(desc(payments.periodEndsAt));

/** A renewal's place of a session is taken by its invoice. */
export const isRenewal = ({ sessionId }: Pick<Payment, "sessionId">): boolean => sessionId.startsWith("in_");

/** Makes a payment of each invoice that has none yet, and settles it. */
async function takeInInvoices(
  ctx: Ctx,
  { facts, first, settlePayment }: { facts: SubscriptionFacts; first: Payment; settlePayment: SettlePayment },
): Promise<void> {
  const held = new Map((await paymentsOf(ctx, facts.id)).map((one) => [one.sessionId, one]));
  for (const { id, isFirst, createdAt } of facts.invoices) {
    if (isFirst) continue;
    const known = held.get(id);
    if (!known) await commit(ctx.store, [renewal(ctx, { facts, first, invoice: id, createdAt })]);
    if (!known?.soldAt) await settlePayment(id);
  }
}

const renewal = (
  { store: { db } }: Ctx,
  {
    facts,
    first,
    invoice,
    createdAt,
  }: { facts: SubscriptionFacts; first: Payment; invoice: string; createdAt: Date },
): Write =>
  db
    .insert(payments)
    .values({
      id: newId(),
      sessionId: invoice,
      subscription: facts.id,
      state: "open",
      sealVersion: first.sealVersion,
      offer: facts.price?.offer ?? first.offer,
      product: first.product,
      devices: first.devices,
      every: facts.price?.every ?? first.every,
      unitAmount: facts.price?.amount ?? first.unitAmount,
      currency: facts.price?.currency ?? first.currency,
      livemode: facts.livemode,
      accountId: first.accountId,
      email: first.email,
      unusualEmailKey: first.unusualEmailKey,
      createdAt,
    })
    .onConflictDoNothing();

/** Writes what the subscription is now, and what that makes of its licence. */
async function follow(
  ctx: Ctx,
  { held, facts, first }: { held: Subscription | null; facts: SubscriptionFacts; first: Payment },
): Promise<Subscription | null> {
  const paid = (await paymentsOf(ctx, facts.id)).filter(({ soldAt }) => soldAt !== null);
  const paidUntil = paid[0]?.periodEndsAt ?? facts.periodEndsAt;
  const judged = judge(facts, paidUntil);
  const after = rowOf(ctx, { held, facts, first, judged });
  const { paymentStatus, fellAt } = standingOf(paid);
  const licence = { paidUntil: judged.entitledUntil, paymentStatus, paymentFellAt: fellAt };
  const changesLicence = await differs(ctx, first.id, licence);
  const isOver = paymentStatus === "refunded" || paymentStatus === "revoked";
  const { entitledUntil } = judged;
  const places = await placesAfterSwitch(ctx, { held, after, first });
  const seconds = await endSeconds(ctx, after);
  const runs = await runWrites(ctx, after, { entitledUntil, hadTrial: first.trialDays !== null });
  await commit(ctx.store, [
    put(ctx, held, after),
    mustHaveChanged("conflict"),
    ...runs,
    ...(held?.status === after.status ? [] : [told(ctx, held, after)]),
    ...(held === null || held.offer === after.offer ? [] : [switched(ctx, held, after)]),
    // what was true before we knew it, as after a restore, was told then
    ...(held === null || held.status === after.status ? [] : emails(ctx, after)),
    ...(isOver && after.endedAt === null ? [end(ctx, facts.id)] : []),
    ...seconds,
    ...places,
    ...(changesLicence
      ? [
          ctx.store.db.update(licences).set(licence).where(eq(licences.primaryPaymentId, first.id)),
          ...(await timeChanged(ctx, { paymentId: first.id }, (one) =>
            one.paymentId === first.id ? { ...one, ...licence } : one,
          )),
          memberChanged(ctx, { paymentId: first.id }),
        ]
      : []),
  ]);
  return after;
}

async function differs(
  { store }: Ctx,
  paymentId: string,
  wanted: Pick<typeof licences.$inferSelect, "paidUntil" | "paymentStatus" | "paymentFellAt">,
): Promise<boolean> {
  const [is] = await store.db.select().from(licences).where(eq(licences.primaryPaymentId, paymentId));
  return (
    is !== undefined &&
    (is.paidUntil?.getTime() !== wanted.paidUntil?.getTime() ||
      is.paymentStatus !== wanted.paymentStatus ||
      is.paymentFellAt?.getTime() !== wanted.paymentFellAt?.getTime())
  );
}

function rowOf(
  ctx: Ctx,
  {
    held,
    facts,
    first,
    judged,
  }: { held: Subscription | null; facts: SubscriptionFacts; first: Payment; judged: Judged },
): Subscription {
  const { status, renewsAt, endsAt, endedAt } = judged;
  return {
    id: first.id,
    stripeId: facts.id,
    customerId: facts.customerId,
    status,
    offer: facts.price?.offer ?? held?.offer ?? first.offer ?? "",
    amount: facts.price?.amount ?? held?.amount ?? first.unitAmount,
    currency: facts.price?.currency ?? held?.currency ?? first.currency,
    every: facts.price?.every ?? held?.every ?? first.every ?? "month",
    netAmount: facts.next?.net ?? held?.netAmount ?? facts.price?.amount ?? first.unitAmount,
    nextAmount: renewsAt ? (facts.next?.amount ?? null) : null,
    renewsAt,
    endsAt,
    endedAt,
    changesTo: facts.changes?.to ?? null,
    changesAt: facts.changes?.at ?? null,
    cardBrand: facts.card?.brand ?? null,
    cardLast4: facts.card?.last4 ?? null,
    livemode: facts.livemode,
    accountId: held ? held.accountId : first.accountId,
    startedAt: facts.startedAt,
    lookedAt: ctx.now(),
    remindedOf: held?.remindedOf ?? null,
    version: (held?.version ?? -1) + 1,
  };
}

/** A row that somebody else wrote meanwhile stays. */
const put = ({ store: { db } }: Ctx, held: Subscription | null, after: Subscription): Write =>
  held
    ? db
        .update(subscriptions)
        .set(after)
        .where(and(eq(subscriptions.id, held.id), eq(subscriptions.version, held.version)))
    : db.insert(subscriptions).values(after).onConflictDoNothing();

/** Whose money went back is charged no more. */
const end = (ctx: Ctx, stripeId: string): Write =>
  enqueue(ctx, { topic: shopTopics.endSubscription, subject: stripeId, payload: { when: "now" } });

/** What its customer is told when its status changes; delivery checks again that it is true. */
function emails(ctx: Ctx, { id, status }: Subscription): Write[] {
  const topics = {
    past_due: subscriptionPastDueEmail,
    ending: subscriptionEndingEmail,
    ended: subscriptionEndedEmail,
  };
  const topic = Object.entries(topics).find(([name]) => name === status)?.[1];
  return topic ? [enqueue(ctx, { topic, subject: id })] : [];
}

const switched = (ctx: Ctx, before: Subscription, { id, accountId, offer }: Subscription): Write =>
  record(ctx, {
    actor: theShop,
    action: "subscription.changed",
    subject: id,
    accountId,
    detail: { before: before.offer, after: offer },
  });

const told = (ctx: Ctx, before: Subscription | null, { id, accountId, status }: Subscription): Write =>
  record(ctx, {
    actor: theShop,
    action: `subscription.${status}`,
    subject: id,
    accountId,
    detail: { before: before?.status ?? null },
  });
