import Stripe from "stripe";
import type { EventPage, EventSubject, ChangeList, ChangePage } from "@/domain/payments/port/stripe";
import type { WatchedEvents } from "@/domain/payments/port/account-gateway";
import { type WrittenOrder, writtenOrderIn } from "@/domain/payments/port/order-terms";
import { subjectOfEvent, subjectOfPart } from "./translate";

type ListRequest = WatchedEvents & { since: Date; from: string | null };
type Entry = { id: string };

/** The largest page of a list: https://docs.stripe.com/api/pagination */
const pageSize = 100;

export type EventType = Stripe.WebhookEndpointUpdateParams.EnabledEvent;

/** Events that can change a payment long after it was made; Stripe lists events for thirty days. */
const paymentEvents: EventType[] = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
  "charge.refunded",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
  "radar.early_fraud_warning.created",
];

/**
 * Events that can change a subscription; its session reports its beginning. Without `invoice.created`: Stripe charges
 * later while a webhook of that type goes unanswered.
 */
const subscriptionEvents: EventType[] = [
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed",
  "customer.updated",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.payment_action_required",
  "invoice.voided",
];

/** Watched but not listed: Stripe lists at most twenty types at a time, and the daily check finds these changes too. */
const furtherEvents: EventType[] = [
  "customer.deleted",
  "invoice.marked_uncollectible",
  "invoice.finalization_failed",
];

/** The event types of the shop's endpoint; those of subscriptions only if it sells them. */
export const watchedEvents = ({ subscriptions }: WatchedEvents) =>
  subscriptions ? [...paymentEvents, ...subscriptionEvents, ...furtherEvents] : paymentEvents;

/** The event types that it reads from Stripe's list. */
const listedEvents = ({ subscriptions }: WatchedEvents) =>
  subscriptions ? [...paymentEvents, ...subscriptionEvents] : paymentEvents;

/** A page of one of Stripe's lists, reduced to the payments of its entries. */
export function listChanges(
  stripe: Stripe,
  list: ChangeList,
  { since, from, ...watching }: ListRequest,
): Promise<ChangePage> {
  const params = {
    created: { gte: Math.floor(since.getTime() / 1000) },
    limit: pageSize,
    ...(from ? { starting_after: from } : {}),
  };
  const lists = {
    sessions: () =>
      page(stripe.checkout.sessions.list({ ...params, status: "complete" }), ({ id }) => ({ sessionId: id })),
    refunds: () => page(stripe.refunds.list(params), subjectOfPart),
    disputes: () => page(stripe.disputes.list(params), subjectOfPart),
    warnings: () => page(stripe.radar.earlyFraudWarnings.list(params), subjectOfPart),
    events: () => page(stripe.events.list({ ...params, types: listedEvents(watching) }), subjectOfEvent),
  } satisfies Record<ChangeList, () => Promise<ChangePage>>;
  return lists[list]();
}

export async function newestOrders(stripe: Stripe): Promise<WrittenOrder[]> {
  const { data } = await stripe.checkout.sessions.list({ status: "complete", limit: pageSize });
  return data.flatMap(({ metadata }) => writtenOrderIn(metadata) ?? []);
}

async function page<E extends Entry>(
  asked: Promise<Stripe.ApiList<E>>,
  subjectOf: (entry: E) => EventSubject | null,
): Promise<ChangePage> {
  const { data, has_more: more } = await asked;
  const subjects = data.map(subjectOf).filter((subject) => subject !== null);
  return { subjects, next: more ? (data.at(-1)?.id ?? null) : null };
}

/**
 * The page of events just after a known one. Stripe lists the newest first, also for a page that ends before a known
 * entry. https://docs.stripe.com/api/pagination
 */
export async function eventsAfter(
  stripe: Stripe,
  event: string,
  watching: WatchedEvents,
): Promise<EventPage | null> {
  try {
    const { data } = await stripe.events.list({
      types: listedEvents(watching),
      ending_before: event,
      limit: pageSize,
    });
    const events = data.toReversed().map((one) => ({
      id: one.id,
      at: new Date(one.created * 1000),
      subject: subjectOfEvent(one),
    }));
    return { events, more: data.length === pageSize };
  } catch (error) {
    // Stripe keeps events for thirty days, and separates those of test mode and live mode
    const isUnknown =
      error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing";
    if (isUnknown) return null;
    throw error;
  }
}

export async function newestEvent(
  stripe: Stripe,
  until: Date,
  watching: WatchedEvents,
): Promise<{ id: string; at: Date } | null> {
  const created = { lte: Math.floor(until.getTime() / 1000) };
  const { data } = await stripe.events.list({ types: listedEvents(watching), created, limit: 1 });
  const [newest] = data;
  return newest ? { id: newest.id, at: new Date(newest.created * 1000) } : null;
}
