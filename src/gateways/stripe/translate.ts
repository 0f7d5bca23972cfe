import type Stripe from "stripe";
import { z } from "zod";
import { day, inSeconds } from "@/contract/vocabulary/time";
import type { BuyerFacts } from "@/domain/payments/port/books-gateway";
import type { CheckoutFacts, EventSubject } from "@/domain/payments/port/stripe";
import { writtenOrderIn } from "@/domain/payments/port/order-terms";
import { buyerOf, countryOf } from "./books";
import { type Arrival, type Money, moneyIn } from "./money";
import { isOnItsWay, isOnItsWayOnce } from "./on-its-way";

/** The key in a session's metadata that holds the versions of the order's keys. */
export const keyVersionsName = "key_editions";

/** Stripe's answers to further requests about a session. */
type Extras = {
  money: Money;
  arrival: Arrival;
  code: CheckoutFacts["code"];
};

/** A session in the domain's terms, with its payment and its charge. */
export function factsOf(session: Stripe.Checkout.Session, { money, arrival, code }: Extras): CheckoutFacts {
  const { address, tax_ids: taxIds } = session.customer_details ?? {};
  return {
    sessionId: session.id,
    status: sessionState(session),
    mode: session.mode,
    paid: isPaid(session),
    paidAt: paidAtOf(session, money.intents[0] ?? null, arrival),
    chargedAt: arrival.chargedAt,
    subtotal: session.amount_subtotal ?? 0,
    off: session.total_details?.amount_discount ?? 0,
    taxes: session.total_details?.amount_tax ?? 0,
    total: session.amount_total ?? 0,
    quantity: quantityOf(session),
    currency: session.currency ?? "",
    livemode: session.livemode,
    email: session.customer_details?.email ?? session.customer_email,
    createdAt: new Date(session.created * 1000),
    subscription: idOf(session.subscription),
    periodEndsAt: session.mode === "subscription" ? periodEndOf(expanded(session.invoice)) : null,
    credit: creditOf(expanded(session.invoice)),
    recurring: session.mode === "subscription" ? recurringOf(session) : null,
    trial: null,
    began: null,
    ended: false,
    order: writtenOrderIn(session.metadata),
    writtenKeyVersions: session.metadata?.[keyVersionsName] ?? null,
    invoice: pageOfInvoice(expanded(session.invoice)),
    buyer: buyerIn(buyerOf(address, taxIds), money),
    code,
    ...moneyIn(money, isOnce(session) ? isOnItsWayOnce : isOnItsWay),
  };
}

/** A subscription's money is its first invoice, which may be paid although the session's own payment failed. */
function isPaid({ mode, invoice, payment_status: status }: Stripe.Checkout.Session): boolean {
  const first = mode === "subscription" ? expanded(invoice) : null;
  return first ? first.status === "paid" : status !== "unpaid";
}

/** A free order's session is as old in every database, whenever that heard of it. */
function paidAtOf(
  { mode, invoice, created }: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | null,
  { arrivedAt }: Arrival,
): Date | null {
  if (mode === "subscription") return invoicePaidAt(expanded(invoice));
  return intent === null ? new Date(created * 1000) : arrivedAt;
}

function invoicePaidAt(invoice: Stripe.Invoice | null): Date | null {
  const at = invoice?.status_transitions.paid_at;
  return at ? new Date(at * 1000) : null;
}

const isOnce = ({ mode, status, payment_status: paid }: Stripe.Checkout.Session): boolean =>
  mode === "payment" && status === "complete" && paid === "unpaid";

/** This shop writes one line per session. */
function quantityOf({ line_items: lines }: Stripe.Checkout.Session): number | null {
  const [line, another] = lines?.data ?? [];
  return another ? null : (line?.quantity ?? null);
}

/** The session or payment of an event; null if the event isn't about a checkout's payment. */
export function subjectOfEvent(event: unknown): EventSubject | null {
  const read = aboutObject.safeParse(event);
  if (!read.success) return null;
  const { object, id, payment_intent, parent, subscription } = read.data.data.object;
  if (object === "checkout.session") return id ? { sessionId: id } : null;
  if (object === "payment_intent") return id ? { intentId: id } : null;
  if (object === "subscription") return id ? { subscription: id } : null;
  if (object === "customer") return id ? { customer: id } : null;
  if (object === "invoice") return id ? subjectOfInvoice(id, parent, subscription) : null;
  return subjectOfPart({ object, payment_intent });
}

/** The signature proves the sender of the event, not its shape. */
const aboutObject = z.object({
  data: z.object({
    object: z.object({
      object: z.string(),
      id: z.string().optional(),
      payment_intent: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
      parent: z
        .object({
          type: z.string().nullish(),
          subscription_details: z.object({ subscription: z.string() }).nullish(),
        })
        .nullish(),
      subscription: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
    }),
  }),
});

type Parent = { subscription_details?: { subscription: string } | null | undefined };

/**
 * The subscription of an invoice, in the shape of any API version: below `parent`, or before 2025-03-31 at the top. Where
 * an event names neither, Stripe is asked. An invoice that was not made by a subscription is nobody's here.
 */
function subjectOfInvoice(
  invoice: string,
  parent: Parent | null | undefined,
  atTop: { id: string } | string | null | undefined,
): EventSubject | null {
  const subscription = parent?.subscription_details?.subscription ?? idOf(atTop);
  if (subscription) return { subscription };
  // null says that there is none; a shape without either field says nothing
  return parent === undefined && atTop === undefined ? { invoice } : null;
}

type Part = { object?: string; payment_intent?: { id: string } | string | null | undefined };

/** The payment that a charge, refund, dispute or warning belongs to. */
export function subjectOfPart({ object, payment_intent: intent }: Part): EventSubject | null {
  if (!intent) return null;
  const intentId = typeof intent === "string" ? intent : intent.id;
  if (object === "radar.early_fraud_warning") return { intentId, warning: true };
  return object === "refund" ? { intentId, refund: true } : { intentId };
}

const sessionState = ({ status }: Stripe.Checkout.Session) =>
  (["complete", "expired"] as const).find((known) => known === status) ?? "open";

/** A renewal or another invoice of a subscription, as if it were a checkout of its own. */
export function factsOfInvoice(invoice: Stripe.Invoice & { id: string }, money: Money): CheckoutFacts {
  const about = invoice.parent?.subscription_details;
  return {
    sessionId: invoice.id,
    status: invoice.status === "void" ? "expired" : "complete",
    mode: "renewal",
    paid: invoice.status === "paid",
    paidAt: invoicePaidAt(invoice),
    chargedAt: null,
    subtotal: invoice.subtotal,
    off: sumOf(invoice.total_discount_amounts),
    taxes: sumOf(invoice.total_taxes),
    total: invoice.total,
    quantity: 1,
    currency: invoice.currency,
    livemode: invoice.livemode,
    email: invoice.customer_email,
    createdAt: new Date(invoice.created * 1000),
    subscription: idOf(about?.subscription ?? null),
    periodEndsAt: periodEndOf(invoice),
    credit: creditOf(invoice),
    recurring: null,
    trial: null,
    began: null,
    ended: false,
    order: null,
    writtenKeyVersions: null,
    invoice: pageOfInvoice(invoice),
    buyer: buyerIn(buyerOf(invoice.customer_address, invoice.customer_tax_ids), money),
    code: null,
    ...moneyIn(money, isOnItsWay),
  };
}

function pageOfInvoice(invoice: Stripe.Invoice | null): CheckoutFacts["invoice"] {
  const url = invoice?.hosted_invoice_url;
  return url ? { url, number: invoice.number } : null;
}

/** Where Stripe asked for no address, the buyer is where their card or account is billed. */
function buyerIn(buyer: BuyerFacts, { intents: [intent] }: Money): BuyerFacts {
  const charge = expanded(intent?.latest_charge ?? null);
  return { ...buyer, country: buyer.country ?? (charge && countryOf(charge)) };
}

const sumOf = (amounts: { amount: number }[] | null) =>
  (amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);

/** The latest end of the periods that an invoice pays; after a switch it also has credit lines. */
function periodEndOf(invoice: Stripe.Invoice | null): Date | null {
  const paid = invoice?.lines.data.filter(({ amount }) => amount >= 0) ?? [];
  const ends = paid.map(({ period }) => period.end);
  return ends.length === 0 ? null : new Date(Math.max(...ends) * 1000);
}

function recurringOf({ line_items: lines, invoice }: Stripe.Checkout.Session): CheckoutFacts["recurring"] {
  const price = lines?.data[0]?.price;
  const first = expanded(invoice)?.lines.data[0]?.period;
  return {
    amount: price?.unit_amount ?? null,
    every: price?.recurring?.interval ?? null,
    firstDays: first ? Math.round((first.end - first.start) / inSeconds(day)) : null,
  };
}

/** Stripe keeps credit as a negative balance. Less than nothing, if the invoice collects what was owed before. */
const creditOf = (invoice: Stripe.Invoice | null) =>
  invoice?.ending_balance == null ? 0 : invoice.ending_balance - invoice.starting_balance;

const idOf = (one: string | { id: string } | null | undefined): string | null =>
  typeof one === "string" ? one : (one?.id ?? null);

const expanded = <T extends object>(value: T | string | null): T | null =>
  typeof value === "string" ? null : value;
