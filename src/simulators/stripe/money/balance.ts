import type { BalanceTransaction, Charge, Payout } from "../ledger";
import { type World, seconds } from "../world";

type Moved = Pick<BalanceTransaction, "amount" | "currency" | "reporting_category" | "source" | "type"> & {
  fee?: number;
  description?: string;
};

/** Something moves the account's balance. https://docs.stripe.com/reports/balance-transaction-types */
export function move(world: World, { description, ...moved }: Moved): BalanceTransaction {
  const { settlement } = world;
  const converts = settlement !== null && settlement.currency !== moved.currency;
  const currency = converts ? settlement.currency : moved.currency;
  const rate = converts ? settlement.rate : 1;
  const [amount, fee] = [Math.round(moved.amount * rate), Math.round((moved.fee ?? 0) * rate)];
  return world.ledger.put("balanceTransactions", {
    ...moved,
    id: world.ids.next(moved.type === "charge" ? "txn_3" : "txn_1"),
    object: "balance_transaction",
    amount,
    created: seconds(world),
    currency,
    description: description ?? null,
    exchange_rate: converts ? rate : null,
    fee,
    fee_details: fee === 0 ? [] : [{ amount: fee, currency, type: "stripe_fee" }],
    net: amount - fee,
    status: "pending",
  });
}

const isCard = ({ payment_method_details: details }: Charge) => details?.type === "card";

/** What Stripe keeps of a payment: 2.9 % and 30 of a card, 0.8 % and at most 500 of anything else. */
const feeOf = (charge: Charge): number =>
  isCard(charge) ? Math.round(charge.amount * 0.029) + 30 : Math.min(Math.round(charge.amount * 0.008), 500);

/** Stripe keeps this for each dispute, also for one that is won. */
export const disputeFee = 1_500;

/** A charge; a debit's balance transaction is made days before the money comes. */
export function moveCharge(world: World, charge: Charge): Charge {
  if (charge.balance_transaction) return charge;
  const { id } = move(world, {
    amount: charge.amount,
    currency: charge.currency,
    fee: feeOf(charge),
    reporting_category: "charge",
    source: charge.id,
    type: isCard(charge) ? "charge" : "payment",
  });
  return { ...charge, balance_transaction: id };
}

/** The bank refused a debit that the balance already had; Stripe keeps its fee. The source is no object that the API lists. */
export function takeBack(world: World, charge: Charge): void {
  if (!charge.balance_transaction) return;
  move(world, {
    amount: -charge.amount,
    currency: charge.currency,
    reporting_category: "charge_failure",
    source: world.ids.next("pyr_1"),
    type: "payment_failure_refund",
  });
}

/** `reconciled`: whether Stripe knows already what an automatic payout paid out. */
type PayingOut = { currency: string; automatic: boolean; reconciled: boolean };

/** Pays out what no payout has paid out yet, in one currency. Of one that a person made, Stripe doesn't know what it paid. */
export function payOut(world: World, { currency, automatic, reconciled }: PayingOut) {
  const gone = new Set(world.ledger.payouts.all().flatMap(({ items }) => items));
  const due = world.ledger.balanceTransactions
    .all()
    .filter((one) => one.currency === currency && one.type !== "payout" && !gone.has(one.id));
  const amount = due.reduce((sum, { net }) => sum + net, 0);
  if (amount <= 0) return null;
  const id = world.ids.next("po_1");
  const moved = move(world, {
    amount: -amount,
    currency,
    description: "STRIPE PAYOUT",
    reporting_category: "payout",
    source: id,
    type: "payout",
  });
  return world.ledger.put("payouts", {
    id,
    object: "payout",
    amount,
    arrival_date: seconds(world) + 2 * 86_400,
    automatic,
    balance_transaction: moved.id,
    created: seconds(world),
    currency,
    livemode: world.live,
    method: "standard",
    reconciliation_status: automatic ? (reconciled ? "completed" : "in_progress") : "not_applicable",
    status: "paid",
    // Stripe's list of a payout has the payout's own movement too
    items: [...due.map((one) => one.id), moved.id],
  });
}

/** The bank refuses a payout, days later: the next one pays that out too. */
export function failPayout(world: World, payout: Payout): Payout {
  const { id, amount, currency } = payout;
  const back = move(world, {
    amount,
    currency,
    description: "REFUND FOR PAYOUT (STRIPE PAYOUT)",
    reporting_category: "payout_reversal",
    source: id,
    type: "payout_failure",
  });
  return world.ledger.put("payouts", {
    ...payout,
    failure_balance_transaction: back.id,
    failure_code: "could_not_process",
    status: "failed",
  });
}

/** A payout as Stripe shows it. */
export const payoutJson = ({ items: _items, ...seen }: Payout) => seen;

/** What the balance report says of a stretch of time, in Unix seconds: sums by currency and category. */
export function balanceReport(world: World, { from, until }: { from: number; until: number }) {
  const sums = new Map<
    string,
    { currency: string; category: string; amount: number; fee: number; net: number }
  >();
  for (const {
    created,
    currency,
    reporting_category: category,
    amount,
    fee,
    net,
  } of world.ledger.balanceTransactions.all()) {
    if (created < from || created >= until) continue;
    const name = `${currency} ${category}`;
    const sum = sums.get(name) ?? { currency, category, amount: 0, fee: 0, net: 0 };
    sums.set(name, { ...sum, amount: sum.amount + amount, fee: sum.fee + fee, net: sum.net + net });
  }
  return [...sums.values()];
}
