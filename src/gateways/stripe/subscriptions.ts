import Stripe from "stripe";
import { markIn } from "@/domain/payments/checkout/order-terms";
import type { CheckoutFacts } from "@/domain/payments/checkout/checkout";
import type { SubscriptionFacts } from "@/domain/payments/subscriptions/subscription-gateway";
import { interval } from "@/contract/offers";
import { unlessClosed, unlessMissing } from "./errors";
import { isOnItsWay } from "./on-its-way";

/** A subscription as Stripe holds it; null if it knows none. https://docs.stripe.com/api/subscriptions/object */
export async function readSubscription(stripe: Stripe, id: string): Promise<SubscriptionFacts | null> {
  const held = await stripe.subscriptions
    .retrieve(id, {
      expand: [
        "default_payment_method",
        "customer.invoice_settings.default_payment_method",
        "schedule.phases.items.price",
        "discounts.source.coupon",
      ],
    })
    .catch(unlessMissing);
  if (!held) return null;
  const invoices = (await invoicesOf(stripe, { subscription: id })).toReversed();
  const next = await nextOf(stripe, held, invoices);
  const [item] = held.items.data;
  const newest = invoices.at(-1);
  return {
    id,
    customerId: typeof held.customer === "string" ? held.customer : held.customer.id,
    status: held.status,
    cancelsAt: cancelsAt(held),
    endedAt: dateIn(held.ended_at),
    collectionPaused: held.pause_collection !== null,
    periodEndsAt: new Date((item?.current_period_end ?? held.trial_end ?? held.start_date) * 1000),
    processing: newest?.status === "open" && (await isAwaited(stripe, newest.id)),
    isMarked: markIn(held.metadata) !== null,
    price: priceIn(item?.price),
    nextAmount: next && next.amount,
    share: next && next.share,
    changes: changesIn(held),
    card: cardOf(held),
    newCard: newCardOf(held),
    livemode: held.livemode,
    startedAt: new Date(held.start_date * 1000),
    invoices: invoices
      .filter(({ status }) => status !== "draft")
      .map(({ id: invoice, status, created, billing_reason: reason }) => ({
        id: invoice,
        isFirst: reason === "subscription_create",
        isCollected: status === "paid" || status === "open",
        createdAt: new Date(created * 1000),
      })),
  };
}

/** The session that began a subscription, or null if none did. */
export async function sessionOfSubscription(stripe: Stripe, id: string): Promise<string | null> {
  const { data } = await stripe.checkout.sessions.list({ subscription: id, limit: 1 });
  return data[0]?.id ?? null;
}

/** The trial that a session begins; asks only where nothing had to be paid. */
export async function trialOf(
  stripe: Stripe,
  { subscription, amount_total: total }: Stripe.Checkout.Session,
): Promise<CheckoutFacts["trial"]> {
  const id = idOf(subscription);
  if (id === null || total !== 0) return null;
  const held = await stripe.subscriptions
    .retrieve(id, { expand: ["default_payment_method"] })
    .catch(unlessMissing);
  const at = dateIn(held?.trial_start ?? null);
  const method = held?.default_payment_method;
  const card = method && typeof method !== "string" ? fingerprintOf(method) : null;
  return at && { at, endedAt: dateIn(held?.ended_at ?? null), card };
}

/** Of a card, or of a bank account that is debited. https://docs.stripe.com/api/payment_methods/object */
function fingerprintOf(method: Stripe.PaymentMethod): string | null {
  const { card, sepa_debit, us_bank_account, bacs_debit, acss_debit, au_becs_debit } = method;
  const kind = card ?? sepa_debit ?? us_bank_account ?? bacs_debit ?? acss_debit ?? au_becs_debit;
  return kind?.fingerprint ?? null;
}

/** The most that Stripe lists at once. */
const pageSize = 100;
/** Eighty years of months. */
const mostInvoices = 1_000;

/** The invoices of a subscription, newest first. */
async function invoicesOf(stripe: Stripe, which: { subscription: string; status?: "open" }) {
  const listed = stripe.invoices.list({ ...which, limit: pageSize });
  const invoices = await listed.autoPagingToArray({ limit: mostInvoices });
  return invoices.flatMap((invoice) => (invoice.id ? [{ ...invoice, id: invoice.id }] : []));
}

/** An invoice with all its lines, of which Stripe shows ten. */
export async function readInvoice(stripe: Stripe, id: string): Promise<Stripe.Invoice & { id: string }> {
  const invoice = await stripe.invoices.retrieve(id);
  if (!invoice.lines.has_more) return { ...invoice, id };
  const listed = stripe.invoices.listLineItems(id, { limit: pageSize });
  const data = await listed.autoPagingToArray({ limit: mostInvoices });
  return { ...invoice, id, lines: { ...invoice.lines, data, has_more: false } };
}

/** Whether any payment of an invoice is on its way; it may have several. */
const isAwaited = async (stripe: Stripe, invoice: string): Promise<boolean> =>
  (await paymentsOfInvoice(stripe, invoice)).some((one) => {
    const intent = intentIn(one);
    return intent !== null && isOnItsWay(intent);
  });

/** The payment of an invoice, with its charge; null if nothing had to be paid. */
export async function intentOfInvoice(stripe: Stripe, invoice: string): Promise<Stripe.PaymentIntent | null> {
  const data = await paymentsOfInvoice(stripe, invoice);
  const one = data.find(({ status }) => status === "paid") ?? data[0];
  return one ? intentIn(one) : null;
}

async function paymentsOfInvoice(stripe: Stripe, invoice: string): Promise<Stripe.InvoicePayment[]> {
  const { data } = await stripe.invoicePayments.list({
    invoice,
    limit: pageSize,
    expand: ["data.payment.payment_intent.latest_charge"],
  });
  return data;
}

function intentIn({
  payment: { payment_intent: intent },
}: Stripe.InvoicePayment): Stripe.PaymentIntent | null {
  return intent && typeof intent !== "string" ? intent : null;
}

type StoredInvoice = Awaited<ReturnType<typeof invoicesOf>>[number];

/**
 * The next invoice, or of a cancelled one what it would be: a preview knows codes and tax.
 * https://docs.stripe.com/api/invoices/create_preview
 */
async function nextOf(
  stripe: Stripe,
  held: Stripe.Subscription,
  invoices: StoredInvoice[],
): Promise<{ amount: number | null; share: number | null } | null> {
  if (held.ended_at !== null || held.status === "incomplete") return null;
  const isEnding = cancelsAt(held) !== null;
  const asIfResumed = isEnding && { subscription_details: { cancel_at_period_end: false } };
  const preview = await stripe.invoices
    .createPreview({ subscription: held.id, ...asIfResumed, ...discountsLeft(held, invoices) })
    .catch(unlessNoneComes);
  if (!preview) return null;
  const off = (preview.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
  const renews = !isEnding && (held.status === "active" || held.status === "trialing");
  return {
    amount: renews ? preview.amount_due : null,
    share: preview.subtotal > 0 ? (preview.subtotal - off) / preview.subtotal : null,
  };
}

/**
 * The discounts of the next invoice, where some of today's are over by then: their months end, or a draft uses one that
 * is for a single invoice.
 */
function discountsLeft(
  { discounts, items }: Stripe.Subscription,
  invoices: StoredInvoice[],
): { discounts?: { discount: string }[] | "" } {
  const at = items.data[0]?.current_period_end ?? 0;
  const drafts = invoices.filter(({ status }) => status === "draft");
  const used = new Set(drafts.flatMap((draft) => draft.discounts.map(idOf)));
  const left = discounts.filter((one) => {
    if (typeof one === "string") return true;
    const { coupon } = one.source;
    const isOnce = coupon !== null && typeof coupon !== "string" && coupon.duration === "once";
    return (one.end === null || one.end > at) && !(isOnce && used.has(one.id));
  });
  if (left.length === discounts.length) return {};
  // an empty list would mean all of them
  return {
    discounts:
      left.length === 0 ? "" : left.flatMap((one) => idOf(one) ?? []).map((discount) => ({ discount })),
  };
}

/** Somebody may have cancelled it since it was read. */
const unlessNoneComes = (error: unknown): null =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "invoice_upcoming_none"
    ? null
    : unlessMissing(error);

/** The portal sets either of two fields. */
const cancelsAt = ({
  cancel_at: at,
  cancel_at_period_end: atEnd,
  items,
  ended_at: ended,
}: Stripe.Subscription) => {
  if (ended !== null) return null;
  const end = at ?? (atEnd ? (items.data[0]?.current_period_end ?? null) : null);
  return dateIn(end);
};

function priceIn(price: Stripe.Price | undefined): SubscriptionFacts["price"] {
  const every = interval.safeParse(price?.recurring?.interval).data;
  const offer = price?.metadata["offer"];
  if (!price || !every || !offer || price.unit_amount === null) return null;
  return { offer, amount: price.unit_amount, currency: price.currency, every };
}

/** A cheaper or shorter offer waits for the period's end. https://docs.stripe.com/api/subscription_schedules */
function changesIn({ schedule }: Stripe.Subscription): SubscriptionFacts["changes"] {
  if (schedule === null || typeof schedule === "string") return null;
  const now = schedule.current_phase?.end_date;
  const next = schedule.phases.find(({ start_date: start }) => start === now);
  const price = next?.items[0]?.price;
  const to =
    price && typeof price !== "string" && !("deleted" in price) ? price.metadata["offer"] : undefined;
  return next && to ? { to, at: new Date(next.start_date * 1000) } : null;
}

/** A subscription's own card comes before its customer's. */
function cardOf(held: Stripe.Subscription): SubscriptionFacts["card"] {
  const method = held.default_payment_method ?? generalOf(held);
  if (method === null || typeof method === "string" || !method.card) return null;
  return { brand: method.card.brand, last4: method.card.last4 };
}

/** Checkout sets the subscription's own card, which the portal leaves alone when it changes the customer's default. */
function newCardOf(held: Stripe.Subscription): string | null {
  const [own, general] = [held.default_payment_method, generalOf(held)].map(idOf);
  return general && general !== own ? general : null;
}

const generalOf = ({ customer }: Stripe.Subscription) =>
  typeof customer === "string" || customer.deleted ? null : customer.invoice_settings.default_payment_method;

const idOf = (one: string | { id: string } | null) => (typeof one === "string" ? one : (one?.id ?? null));

/** https://docs.stripe.com/api/subscriptions/update, https://docs.stripe.com/api/invoices/pay */
export async function chargeTo(stripe: Stripe, id: string, card: string): Promise<void> {
  await stripe.subscriptions.update(id, { default_payment_method: card });
  for (const { id: invoice } of await invoicesOf(stripe, { subscription: id, status: "open" })) {
    // declined or to be confirmed: Stripe tells the customer, and tries again by itself
    await stripe.invoices.pay(invoice, { payment_method: card }).catch(unlessUnpaid);
  }
}

function unlessUnpaid(error: unknown): void {
  const isRefused =
    error instanceof Stripe.errors.StripeCardError ||
    error instanceof Stripe.errors.StripeInvalidRequestError;
  if (!isRefused) throw error;
}

/** https://docs.stripe.com/api/subscriptions/cancel */
export async function cancelSubscription(
  stripe: Stripe,
  id: string,
  when: "now" | "period_end",
): Promise<void> {
  const held = await stripe.subscriptions.retrieve(id).catch(unlessMissing);
  if (!held || held.ended_at !== null) return;
  // a schedule would set again what is cancelled beside it
  const { schedule } = held;
  if (schedule !== null)
    await stripe.subscriptionSchedules.release(typeof schedule === "string" ? schedule : schedule.id);
  if (when === "now") await stripe.subscriptions.cancel(id).catch(unlessMissing);
  else if (cancelsAt(held) === null) await stripe.subscriptions.update(id, { cancel_at_period_end: true });
}

/** https://docs.stripe.com/api/subscriptions/list */
export async function listSubscriptions(stripe: Stripe, from: string | null) {
  const { data, has_more: more } = await stripe.subscriptions.list({
    status: "all",
    limit: pageSize,
    ...(from ? { starting_after: from } : {}),
  });
  // another shop on the same account may have sold some of them: their seals tell when they are settled
  const ids = data.filter(({ metadata }) => markIn(metadata) !== null).map(({ id }) => id);
  return { ids, next: more ? (data.at(-1)?.id ?? null) : null };
}

/** https://docs.stripe.com/api/invoices/void */
export async function voidOpenInvoices(stripe: Stripe, subscription: string): Promise<void> {
  const open = await invoicesOf(stripe, { subscription, status: "open" }).catch(unlessMissing);
  for (const { id } of open ?? []) await stripe.invoices.voidInvoice(id).catch(unlessClosed);
}

const dateIn = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000));
