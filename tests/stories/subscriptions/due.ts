import type { PaymentStatus } from "@/domain/schema/licences";
import type { SubscriptionStatus } from "@/domain/schema/subscriptions";
import type { Stage } from "../../support/shop/stage";

/*
 * What the shop must hold of a subscription, from the contract's table and what Stripe holds, and not from the shop's
 * code. Times in Unix seconds, as Stripe has them.
 */

/** An invoice in the simulator's report. */
export type HeldInvoice = {
  invoice: string;
  reason: string;
  status: "draft" | "open" | "paid" | "uncollectible" | "void";
  subtotal: number;
  total: number;
  amount_paid: number;
  /** The end of what it charges for. */
  until: number;
  intent_status: string | null;
  refunded: number;
  dispute: { status: string } | null;
};

/** A subscription in the simulator's report. */
export type HeldSubscription = {
  subscription: string;
  customer: string;
  status: string;
  amount: number;
  interval: "month" | "year";
  period_end: number;
  cancel_at: number | null;
  ended_at: number | null;
  paused: boolean;
  schedule: string | null;
  /** Oldest first. */
  invoices: HeldInvoice[];
};

/** What the shop can't read from the report. */
type Circumstances = {
  session: string;
  /** The invoices that staff refunded without ending anything. */
  kept: ReadonlySet<string>;
  /** Whether it was bought with a code that takes off half of every invoice. */
  isHalved: boolean;
  now: number;
};

export type Due = {
  status: SubscriptionStatus;
  /** Until when its licence is good; the standing of its payments apart. */
  until: number;
  standing: PaymentStatus;
  /** Whether its owner is entitled now. */
  entitled: boolean;
  renewsAt: number | null;
  endsAt: number | null;
  /** What it counts for in a year, in the monthly recurring revenue. */
  yearly: number;
  payments: { session: string; state: string; asked: number; paid: number; refunded: number }[];
};

const graceSeconds = 3 * 24 * 60 * 60;
const takesMoney = ["needs_response", "under_review", "appeal_needs_response", "appeal_under_review"];

/** Null if nothing was sold: its first invoice is not paid. */
export function dueOf(held: HeldSubscription, about: Circumstances): Due | null {
  const paid = held.invoices.filter(({ status }) => status === "paid");
  if (!paid.some(isFirst)) return null;
  const status = statusOf(held);
  const until = entitledUntil(held, status, Math.max(...paid.map((one) => one.until)));
  const standing = standingOf(paid, about.kept);
  const due = { status, until, standing, entitled: standing === "good" && until > about.now };
  return {
    ...due,
    renewsAt: status === "active" || status === "trialing" ? held.period_end : null,
    endsAt: status === "ending" ? held.cancel_at : held.ended_at,
    yearly: counts(held, due, about.now) ? yearlyOf(held, about.isHalved) : 0,
    payments: paid.map((one) => ({
      session: isFirst(one) ? about.session : one.invoice,
      state: stateOf(one),
      asked: one.subtotal,
      paid: one.amount_paid,
      refunded: one.refunded,
    })),
  };
}

const isFirst = ({ reason }: HeldInvoice) => reason === "subscription_create";

function statusOf({ status, ended_at, cancel_at, paused }: HeldSubscription): SubscriptionStatus {
  if (ended_at !== null) return "ended";
  if (status === "paused" || paused) return "paused";
  if (status !== "active" && status !== "trialing") return "past_due";
  return cancel_at === null ? status : "ending";
}

/** While a renewal is due there are three days more, and fourteen while a bank debit is on its way. */
function entitledUntil({ invoices }: HeldSubscription, status: SubscriptionStatus, paid: number) {
  if (status === "ended" || status === "paused" || status === "ending") return paid;
  const newest = invoices.at(-1);
  const onItsWay = newest?.status === "open" && newest.intent_status === "processing";
  return paid + (onItsWay ? 14 * 86_400 : graceSeconds);
}

const isWhole = ({ refunded, amount_paid }: HeldInvoice) => amount_paid > 0 && refunded >= amount_paid;

/** Any dispute holds or ends the licence; a refund in full does if it is of the current period, after a switch of all its invoices. */
function standingOf(paid: HeldInvoice[], kept: ReadonlySet<string>): PaymentStatus {
  const disputes = paid.map(({ dispute }) => dispute?.status ?? "");
  if (disputes.includes("lost")) return "revoked";
  if (disputes.some((status) => takesMoney.includes(status))) return "disputed";
  const newest = Math.max(...paid.map(({ until }) => until));
  const current = paid.filter(({ until, amount_paid }) => until === newest && amount_paid > 0);
  const isBack = current.length > 0 && current.every((one) => isWhole(one) && !kept.has(one.invoice));
  return isBack ? "refunded" : "good";
}

function stateOf(one: HeldInvoice): string {
  const status = one.dispute?.status ?? "";
  if (status === "lost" || takesMoney.includes(status)) return "disputed";
  return isWhole(one) ? "refunded" : "succeeded";
}

/** Trials and pauses count for nothing; what is past due counts until its grace ends. */
function counts(
  { status: held }: HeldSubscription,
  { status, until }: Pick<Due, "status" | "until">,
  now: number,
) {
  if (status === "active" || (status === "ending" && held !== "trialing")) return true;
  return status === "past_due" && until > now;
}

const yearlyOf = ({ amount, interval }: HeldSubscription, isHalved: boolean) =>
  (interval === "year" ? amount : 12 * amount) / (isHalved ? 2 : 1);

/** The subscriptions that the simulator holds, by their ids. */
export async function heldAtStripe(stage: Stage): Promise<Map<string, HeldSubscription>> {
  const answer = await fetch(`${stage.stripe.url}/_control/subscriptions`);
  const { subscriptions } = (await answer.json()) as { subscriptions: HeldSubscription[] };
  return new Map(subscriptions.map((one) => [one.subscription, one]));
}
