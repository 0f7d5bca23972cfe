import type Stripe from "stripe";
import { z } from "zod";
import { firstLevel, writtenOrderIn } from "@/domain/payments/port/order-terms";
import type { CheckoutFacts } from "@/domain/payments/port/stripe";
import type {
  InvoiceFacts,
  PriceFacts,
  SubscriptionFacts,
} from "@/domain/payments/port/subscription-gateway";
import { addressAtStripe, addressKey } from "@/contract/vocabulary/addresses";
import { interval } from "@/contract/wire/offers";
import { unlessClosed, unlessMissing, unlessRefused } from "./errors";
import { moneyOnItsWay } from "./invoice-payments";
import { invoicesOf, pageSize, readInvoice, type StoredInvoice } from "./subscription-invoices";

/**
 * A subscription as Stripe holds it; null if it knows none. `shop`: the host that its prices name, unless another shop on
 * the same account made them; `knownItem`: the item that was its own at the last check.
 * https://docs.stripe.com/api/subscriptions/object
 */
export async function readSubscription(
  stripe: Stripe,
  shop: string,
  id: string,
  knownItem: string | null,
): Promise<SubscriptionFacts | null> {
  const held = await retrieve(stripe, id).catch(unlessMissing);
  if (!held) return null;
  const invoices = (await invoicesOf(stripe, { subscription: id })).toReversed();
  const begun = invoices[0]?.lines.data[0];
  const hosts = await hostsOf(stripe, shop, held, idOf(begun?.pricing?.price_details?.price ?? null));
  const own = ownItem(
    held,
    hosts,
    knownItem ?? begun?.parent?.subscription_item_details?.subscription_item ?? null,
  );
  const periodEndsAt = new Date((own?.current_period_end ?? held.trial_end ?? held.start_date) * 1000);
  const amount = held.items.data.reduce(
    (sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * (quantity ?? 1),
    0,
  );
  return {
    id,
    customerId: typeof held.customer === "string" ? held.customer : held.customer.id,
    billingEmail: emailOf(held.customer),
    status: held.status,
    cancelsAt: cancelsAt(held, periodEndsAt),
    endedAt: dateIn(held.ended_at),
    collectionPaused: held.pause_collection !== null,
    resumesAt: dateIn(held.pause_collection?.resumes_at ?? null),
    periodEndsAt,
    trialEndsAt: dateIn(held.trial_end),
    item: own?.id ?? null,
    price: own ? priceIn(hosts, own.price) : null,
    amount,
    netAmount: netOf(held, { amount, periodEndsAt }),
    isTaxed: held.automatic_tax.enabled,
    nextDiscounts: discountsLeft(held, { invoices, periodEndsAt }),
    changes: changesIn(hosts, held),
    card: cardOf(held),
    cards: {
      own: idOf(held.default_payment_method),
      general: idOf(generalOf(held)),
    },
    livemode: held.livemode,
    startedAt: new Date(held.start_date * 1000),
    invoices: await Promise.all(invoices.map((invoice) => invoiceIn(stripe, invoice, { held, own }))),
  };
}

/** What a check can do without. */
const optionalExpansions = [
  "customer",
  "customer.invoice_settings.default_payment_method",
  "default_payment_method",
  "discounts.source.coupon",
  "schedule.phases.items.price",
];

/** Expands as many objects as Stripe shows: the customer may be deleted. */
async function retrieve(stripe: Stripe, id: string): Promise<Stripe.Subscription> {
  const get = (expand: string[]) => stripe.subscriptions.retrieve(id, { expand });
  const shown = (one: string) =>
    unlessRefused(
      () => get([one]).then(() => one),
      () => [],
    );
  return unlessRefused(
    () => get(optionalExpansions),
    async () => get((await Promise.all(optionalExpansions.map(shown))).flat()),
  );
}

const emailOf = (customer: Stripe.Subscription["customer"]) =>
  typeof customer === "string" || customer.deleted || !customer.email
    ? null
    : addressAtStripe(customer.email);

/** https://docs.stripe.com/api/customers/update */
export async function correctBilling(
  stripe: Stripe,
  { subscription, former, email }: { subscription: string; former: string; email: string },
): Promise<void> {
  const held = await stripe.subscriptions
    .retrieve(subscription, { expand: ["customer"] })
    .catch(unlessMissing);
  if (!held || typeof held.customer === "string") return;
  const billed = emailOf(held.customer);
  if (billed !== null && addressKey(billed) === addressKey(former))
    await stripe.customers.update(held.customer.id, { email });
}

/** The known item, or the first, of those whose price bears an offer of ours; of all, if none of these is left. */
function ownItem(
  { items }: Stripe.Subscription,
  hosts: string[],
  known: string | null,
): Stripe.SubscriptionItem | undefined {
  const inOrder = items.data.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const ours = inOrder.filter(({ price }) => offerIn(hosts, price) !== undefined);
  const among = ours.length > 0 ? ours : inOrder;
  return among.find(({ id }) => id === known) ?? among[0];
}

/** The hosts that the shop's prices name: it may have moved since it sold the subscription at its first price. */
async function hostsOf(
  stripe: Stripe,
  shop: string,
  { items }: Stripe.Subscription,
  first: string | null,
): Promise<string[]> {
  const prices = items.data.map(({ price }) => price);
  if (first === null || prices.every((price) => (makerOf(price) ?? shop) === shop)) return [shop];
  const sold =
    prices.find(({ id }) => id === first) ?? (await stripe.prices.retrieve(first).catch(unlessMissing));
  return [shop, (sold && makerOf(sold)) ?? shop];
}

/** The host of the shop that made a price, whatever its port; null if it says none. */
const makerOf = ({ metadata: { shop } }: Stripe.Price): string | null => shop?.replace(/:\d+$/, "") ?? null;

/** The offer that a price is for, if this shop made it. */
function offerIn(hosts: string[], price: Stripe.Price): string | undefined {
  const maker = makerOf(price);
  return maker === null || hosts.includes(maker) ? price.metadata["offer"] : undefined;
}

type Owner = { held: Stripe.Subscription; own: Stripe.SubscriptionItem | undefined };

async function invoiceIn(stripe: Stripe, invoice: StoredInvoice, owner: Owner): Promise<InvoiceFacts> {
  const { id, status, billing_reason: reason } = invoice;
  const isOwed = status === "open" || status === "uncollectible";
  const whole = invoice.lines.has_more ? await readInvoice(stripe, id) : invoice;
  return {
    id,
    isFirst: reason === "subscription_create",
    isSwitch: reason === "subscription_update",
    status: (["open", "paid", "uncollectible", "void"] as const).find((known) => known === status) ?? "draft",
    createdAt: new Date(invoice.created * 1000),
    ...chargeOf(whole, owner),
    credits: creditedBy(whole),
    isComing: status === "draft" && (invoice.auto_advance ?? false),
    dueAt: invoice.collection_method === "send_invoice" ? dateIn(invoice.due_date) : null,
    tried: invoice.attempted,
    ...(isOwed ? await moneyOnItsWay(stripe, id) : { onItsWay: false, isProcessing: false }),
  };
}

/** What an invoice asks for the own item, without credits: the price, and the end of the period; of a trial, which may move, none. */
function chargeOf(
  { lines }: Stripe.Invoice,
  { held, own }: Owner,
): Pick<InvoiceFacts, "price" | "periodEndsAt"> {
  const others = held.items.data.flatMap(({ id }) => (id === own?.id ? [] : id));
  const asked = lines.data
    .filter(({ amount }) => amount >= 0)
    // also of an item that was its own before
    .filter(({ parent }) => !others.includes(parent?.subscription_item_details?.subscription_item ?? ""))
    .toSorted((one, other) => one.period.end - other.period.end || one.period.start - other.period.start);
  const paid = asked.findLast(({ amount, period }) => amount > 0 || period.start >= (held.trial_end ?? 0));
  return {
    price: idOf(asked.findLast(isOfItem)?.pricing?.price_details?.price ?? null),
    periodEndsAt: dateIn(paid?.period.end ?? null),
  };
}

const isOfItem = ({ parent }: Stripe.InvoiceLineItem) => Boolean(parent?.subscription_item_details);

/** The invoices whose unused time it gives back. https://docs.stripe.com/billing/subscriptions/prorations */
const creditedBy = ({ lines }: Stripe.Invoice): string[] =>
  lines.data.flatMap(
    ({ parent }) => parent?.subscription_item_details?.proration_details?.credited_items?.invoice ?? [],
  );

/** The subscription that an invoice was made by, or null if none was. */
export async function subscriptionOfInvoice(stripe: Stripe, id: string): Promise<string | null> {
  const invoice = await stripe.invoices.retrieve(id).catch(unlessMissing);
  return invoice && subscriptionIn(invoice);
}

export const subscriptionIn = ({ parent }: Stripe.Invoice): string | null =>
  idOf(parent?.subscription_details?.subscription ?? null);

/** The session that began a subscription, or null if none did. */
export async function sessionOfSubscription(stripe: Stripe, id: string): Promise<string | null> {
  const { data } = await stripe.checkout.sessions.list({ subscription: id, limit: 1 });
  return data[0]?.id ?? null;
}

/** What a session begins: when its first invoice was paid, and the trial, where nothing had to be paid. */
export async function beginningOf(
  stripe: Stripe,
  { subscription, amount_total: total }: Stripe.Checkout.Session,
  invoice: Stripe.Invoice | null,
): Promise<Pick<CheckoutFacts, "began" | "ended" | "trial">> {
  const id = idOf(subscription);
  const at = invoice?.status === "paid" ? dateIn(invoice.status_transitions.paid_at) : null;
  if (id === null) return { began: null, ended: false, trial: null };
  const held = await stripe.subscriptions
    .retrieve(id, { expand: ["default_payment_method"] })
    .catch(unlessMissing);
  const endedAt = dateIn(held?.ended_at ?? null);
  const begins = dateIn(held?.trial_start ?? null);
  const method = held?.default_payment_method;
  const card = method && typeof method !== "string" ? fingerprintOf(method) : null;
  return {
    began: at && { at, endedAt },
    ended: endedAt !== null,
    trial: at && total === 0 && begins ? { at: begins, card } : null,
  };
}

/** The fingerprint of a card, or of a bank account that is debited. https://docs.stripe.com/api/payment_methods/object */
function fingerprintOf(method: Stripe.PaymentMethod): string | null {
  const { card, sepa_debit, us_bank_account, bacs_debit, acss_debit, au_becs_debit } = method;
  const kind = card ?? sepa_debit ?? us_bank_account ?? bacs_debit ?? acss_debit ?? au_becs_debit;
  return kind?.fingerprint ?? null;
}

/** The portal sets either of two fields. */
function cancelsAt(
  { cancel_at: at, cancel_at_period_end: atEnd, ended_at: ended }: Stripe.Subscription,
  periodEndsAt: Date,
): Date | null {
  if (ended !== null) return null;
  return dateIn(at) ?? (atEnd ? periodEndsAt : null);
}

/** https://docs.stripe.com/api/prices/retrieve */
export async function readPrice(stripe: Stripe, shop: string, id: string): Promise<PriceFacts | null> {
  const price = await stripe.prices.retrieve(id).catch(unlessMissing);
  return price && priceIn([shop], price);
}

function priceIn(hosts: string[], price: Stripe.Price): PriceFacts | null {
  const every = interval.safeParse(price.recurring?.interval).data;
  const offer = offerIn(hosts, price);
  if (!every || !offer || price.unit_amount === null) return null;
  const { id, unit_amount: amount, currency, metadata } = price;
  const devices = z.coerce.number().int().positive().safeParse(metadata["devices"]).data ?? null;
  const { level = "", level_name: levelName } = metadata;
  const sold = level
    ? { id: level, name: levelName || level }
    : { id: firstLevel.level, name: firstLevel.levelName };
  return { id, offer, amount, currency, every, level: sold, devices };
}

/** A cheaper or shorter offer waits for the period's end. https://docs.stripe.com/api/subscription_schedules */
function changesIn(hosts: string[], { schedule }: Stripe.Subscription): SubscriptionFacts["changes"] {
  if (schedule === null || typeof schedule === "string") return null;
  const now = schedule.current_phase?.end_date;
  const next = schedule.phases.find(({ start_date: start }) => start === now);
  const price = next?.items[0]?.price;
  const to = price && typeof price !== "string" && !("deleted" in price) ? offerIn(hosts, price) : undefined;
  return next && to ? { to, at: new Date(next.start_date * 1000) } : null;
}

/** A subscription's own card comes before its customer's. */
function cardOf(held: Stripe.Subscription): SubscriptionFacts["card"] {
  const method = held.default_payment_method ?? generalOf(held);
  if (method === null || typeof method === "string" || !method.card) return null;
  return { brand: method.card.brand, last4: method.card.last4 };
}

const generalOf = ({ customer }: Stripe.Subscription) =>
  typeof customer === "string" || customer.deleted ? null : customer.invoice_settings.default_payment_method;

const idOf = (one: string | { id: string } | null) => (typeof one === "string" ? one : (one?.id ?? null));

/**
 * Tries once to pay an invoice with a card, and makes it the subscription's own. In this order: a card that is its own
 * already would say that the invoice was tried too.
 * https://docs.stripe.com/api/invoices/pay, https://docs.stripe.com/api/subscriptions/update
 */
export async function chargeToCard(
  stripe: Stripe,
  { id, card, invoice }: { id: string; card: string; invoice: string | null },
): Promise<void> {
  if (invoice !== null)
    // declined or to be confirmed: Stripe notifies the customer, and retries on its own
    await stripe.invoices
      .pay(invoice, { payment_method: card }, { idempotencyKey: `pay-${invoice}-${card}` })
      .catch(unlessClosed);
  await stripe.subscriptions.update(id, { default_payment_method: card });
}

/** https://docs.stripe.com/api/subscriptions/cancel */
export async function cancelSubscription(stripe: Stripe, id: string, when: "now" | Date): Promise<void> {
  const held = await stripe.subscriptions.retrieve(id).catch(unlessMissing);
  if (!held || held.ended_at !== null) return;
  const periodEnd = ownItem(held, [], null)?.current_period_end ?? 0;
  const at = when === "now" ? null : Math.round(when.getTime() / 1000);
  const ends = held.cancel_at ?? (held.cancel_at_period_end ? periodEnd : null);
  if (at !== null && ends !== null && ends <= at) return;
  // a schedule would undo the cancellation
  const schedule = idOf(held.schedule);
  if (schedule !== null) await stripe.subscriptionSchedules.release(schedule);
  if (at === null) await stripe.subscriptions.cancel(id).catch(unlessMissing);
  else
    await stripe.subscriptions.update(
      id,
      at === periodEnd ? { cancel_at_period_end: true } : { cancel_at: at },
    );
}

/** https://docs.stripe.com/api/subscriptions/list */
export async function listSubscriptions(stripe: Stripe, from: string | null) {
  const { data, has_more: more } = await stripe.subscriptions.list({
    status: "all",
    limit: pageSize,
    ...(from ? { starting_after: from } : {}),
  });
  // another shop on the same account may have sold some of them: settling checks their seals
  const ids = data.filter(({ metadata }) => writtenOrderIn(metadata) !== null).map(({ id }) => id);
  return { ids, next: more ? (data.at(-1)?.id ?? null) : null };
}

const dateIn = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000));

/**
 * Each charge after discounts that last, without tax; null if their terms are unknown.
 * https://docs.stripe.com/api/discounts/object
 */
function netOf(
  { discounts }: Stripe.Subscription,
  { amount, periodEndsAt }: { amount: number; periodEndsAt: Date },
): number | null {
  let left = amount;
  for (const one of discounts) {
    const coupon = typeof one === "string" ? null : one.source.coupon;
    if (typeof one === "string" || coupon === null || typeof coupon === "string") return null;
    const isOver = one.end !== null && one.end * 1000 <= periodEndsAt.getTime();
    if (coupon.duration === "once" || isOver) continue;
    left -= coupon.amount_off ?? Math.round((left * (coupon.percent_off ?? 0)) / 100);
  }
  return Math.max(left, 0);
}

/** Of today's discounts, their months may end, or a draft may use one that is for a single invoice. */
function discountsLeft(
  { discounts }: Stripe.Subscription,
  { invoices, periodEndsAt }: { invoices: StoredInvoice[]; periodEndsAt: Date },
): string[] | null {
  const drafts = invoices.filter(({ status }) => status === "draft");
  const used = new Set(drafts.flatMap((draft) => draft.discounts.map(discountId)));
  const left = discounts.filter((one) => {
    if (typeof one === "string") return true;
    const { coupon } = one.source;
    const isOnce = coupon !== null && typeof coupon !== "string" && coupon.duration === "once";
    const isOver = one.end !== null && one.end * 1000 <= periodEndsAt.getTime();
    return !isOver && !(isOnce && used.has(one.id));
  });
  return left.length === discounts.length ? null : left.flatMap((one) => discountId(one) ?? []);
}

const discountId = (one: string | { id: string }) => (typeof one === "string" ? one : one.id);
