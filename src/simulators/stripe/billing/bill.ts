import { emit } from "../events";
import { amountOff, minimum, taxOn } from "../money/totals";
import { listOf } from "../part";
import { type World, seconds } from "../world";
import { changeCustomer, customerOf } from "./customers";
import { discountsAt, remaining } from "./discounts";
import { cancelPayment } from "./payment";
import type { Bill, Line, Subscription } from "./rows";

type Reason = "subscription_create" | "subscription_cycle" | "subscription_update" | "upcoming";

/** Computes an invoice with discounts, tax and the customer's balance. Stores nothing. */
export function draftBill(world: World, subscription: Subscription, reason: Reason, lines: Line[]): Bill {
  const moment = seconds(world);
  const customer = customerOf(world, subscription.customer);
  const upcoming = reason === "upcoming";
  const id = world.ids.next(upcoming ? "upcoming_in_1" : "in_1");
  const { amounts, lines: discounted } = discount(world, subscription, lines, moment);
  const subtotal = sum(lines.map(({ amount }) => amount));
  const net = subtotal - sum(amounts.map(({ amount }) => amount));
  const { tax, added } = taxOn(world, subscription, net);
  const total = net + added;
  const previous = reason === "subscription_cycle" || upcoming ? subscription.items.data[0] : undefined;
  return {
    id,
    object: "invoice",
    amount_paid: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { enabled: subscription.automatic_tax.enabled ?? false, status: null },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: "charge_automatically",
    created: moment,
    currency: subscription.currency,
    customer: subscription.customer,
    customer_address: customer?.address ?? null,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_tax_ids: (customer?.taxIds ?? []).map(({ type, value }) => ({ type: type as "eu_vat", value })),
    default_payment_method: null,
    description: null,
    discounts: amounts.map((one) => one.discount),
    ending_balance: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    lines: listOf(
      `/v1/invoices/${id}/lines`,
      discounted.map((line) => ({ ...line, invoice: id })),
    ),
    livemode: world.live,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: "subscription_details",
    },
    period_end: previous?.current_period_end ?? moment,
    period_start: previous?.current_period_start ?? moment,
    status: "draft",
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal,
    subtotal_excluding_tax: subtotal - (added === tax ? 0 : tax),
    test_clock: customer?.test_clock ?? null,
    total,
    total_discount_amounts: amounts,
    total_excluding_tax: total - tax,
    total_taxes: taxesOf(world, subscription, net, tax),
    ...due(customer?.balance ?? 0, total),
  };
}

const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0);

/** What is due after the balance, which is negative for credit. An amount too small to charge is added to the balance. */
function due(balance: number, total: number) {
  const owed = total + balance;
  const amount_due = owed < minimum ? 0 : owed;
  return { starting_balance: balance, amount_due, amount_remaining: amount_due };
}

function taxesOf(
  world: World,
  { automatic_tax }: Subscription,
  net: number,
  tax: number,
): Bill["total_taxes"] {
  if (!automatic_tax.enabled) return [];
  return [
    {
      amount: tax,
      tax_behavior: world.tax.within ? "inclusive" : "exclusive",
      tax_rate_details: { tax_rate: "txr_1DemoShop" },
      taxability_reason: "standard_rated",
      taxable_amount: world.tax.within ? net - tax : net,
      type: "tax_rate_details",
    },
  ];
}

/** Applies each discount to the lines that it covers. */
function discount(world: World, subscription: Subscription, given: Line[], moment: number) {
  let lines = given;
  const amounts: { amount: number; discount: string }[] = [];
  for (const { discount: one, coupon } of discountsAt(world, subscription, moment)) {
    let left = coupon.percent_off === null ? (amountOff(coupon, subscription.currency) ?? 0) : Infinity;
    let taken = 0;
    lines = lines.map((line) => {
      const product = line.pricing?.price_details?.product ?? "";
      const fits = !coupon.applies_to?.products || coupon.applies_to.products.includes(product);
      if (!line.discountable || !fits) return line;
      const rest = line.amount - sum((line.discount_amounts ?? []).map(({ amount }) => amount ?? 0));
      const share = coupon.percent_off === null ? left : Math.round((rest * coupon.percent_off) / 100);
      const amount = Math.max(0, Math.min(share, rest));
      left -= amount;
      taken += amount;
      return { ...line, discount_amounts: [...(line.discount_amounts ?? []), { amount, discount: one.id }] };
    });
    if (taken > 0) amounts.push({ amount: taken, discount: one.id });
  }
  return { amounts, lines };
}

export function changeBill(world: World, bill: Bill, change: Partial<Bill>): Bill {
  const changed = { ...bill, ...change };
  world.ledger.put("invoices", changed);
  return changed;
}

/** Finalises a draft: gives it its number, and uses up the customer's balance and discounts for one invoice. */
export function finalise(world: World, bill: Bill): Bill {
  const customer = customerOf(world, bill.customer ?? "");
  const ending_balance = bill.starting_balance + bill.total - bill.amount_due;
  if (customer && customer.balance !== ending_balance)
    changeCustomer(world, customer, { balance: ending_balance });
  const subscription = world.ledger.subscriptions.get(bill.parent.subscription_details.subscription);
  const done = changeBill(world, bill, {
    automatically_finalizes_at: null,
    effective_at: seconds(world),
    ending_balance,
    hosted_invoice_url: `${world.url}/i/${bill.id}`,
    invoice_pdf: `${world.url}/i/${bill.id}/pdf`,
    number: bill.id.slice(-8).toUpperCase(),
    parent: {
      ...bill.parent,
      subscription_details: {
        ...bill.parent.subscription_details,
        metadata: subscription?.metadata ?? bill.parent.subscription_details.metadata,
      },
    },
    status: "open",
    status_transitions: { ...bill.status_transitions, finalized_at: seconds(world) },
  });
  if (subscription && bill.subtotal > 0)
    world.ledger.put("subscriptions", {
      ...subscription,
      discounts: remaining(world, subscription.discounts),
    });
  emit(world, "invoice.finalized", done);
  return done;
}

/** Voids an open invoice: cancels its payment and gives the credit that it used back to the customer. */
export function voidBill(world: World, bill: Bill): Bill {
  cancelPayment(world, bill.id);
  const customer = customerOf(world, bill.customer ?? "");
  const used = (bill.ending_balance ?? bill.starting_balance) - bill.starting_balance;
  if (customer && used !== 0) changeCustomer(world, customer, { balance: customer.balance - used });
  const voided = changeBill(world, bill, {
    auto_advance: false,
    next_payment_attempt: null,
    status: "void",
    status_transitions: { ...bill.status_transitions, voided_at: seconds(world) },
  });
  emit(world, "invoice.voided", voided);
  return voided;
}

/** Gives an open invoice up: nothing is tried any more, and it may still be paid. */
export function giveUpBill(world: World, bill: Bill): Bill {
  const given = changeBill(world, bill, {
    auto_advance: false,
    next_payment_attempt: null,
    status: "uncollectible",
    status_transitions: { ...bill.status_transitions, marked_uncollectible_at: seconds(world) },
  });
  emit(world, "invoice.marked_uncollectible", given);
  return given;
}

/** Stores a draft. */
export function storeDraft(world: World, bill: Bill): Bill {
  world.ledger.put("invoices", bill);
  emit(world, "invoice.created", bill);
  return bill;
}
