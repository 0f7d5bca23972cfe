import type Stripe from "stripe";
import type { EventSubject, SweptList, SweptPage } from "@/domain/payments/checkout";
import { subjectOfEvent, subjectOfPart } from "./translate";

type Wanted = { since: Date; from: string | null };
type Entry = { id: string };

/** The largest page of a list: https://docs.stripe.com/api/pagination */
const pageSize = 100;

/** Events that can change a payment long after it was made; Stripe lists events for thirty days. */
const telling: Stripe.EventListParams["types"] = [
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

/** A page of one of Stripe's lists, as the payments its entries are about. */
export function touched(stripe: Stripe, list: SweptList, { since, from }: Wanted): Promise<SweptPage> {
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
    events: () => page(stripe.events.list({ ...params, types: telling }), subjectOfEvent),
  } satisfies Record<SweptList, () => Promise<SweptPage>>;
  return lists[list]();
}

async function page<E extends Entry>(
  asked: Promise<Stripe.ApiList<E>>,
  subjectOf: (entry: E) => EventSubject | null,
): Promise<SweptPage> {
  const { data, has_more: more } = await asked;
  const subjects = data.map(subjectOf).filter((subject) => subject !== null);
  return { subjects, next: more ? (data.at(-1)?.id ?? null) : null };
}
