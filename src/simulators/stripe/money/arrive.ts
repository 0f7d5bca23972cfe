import type { Charge } from "../ledger";
import { type World, seconds } from "../world";

/**
 * A charge that the bank is asked for. Stripe makes its balance transaction then, for a debit days before the money.
 * https://support.stripe.com/questions/changes-to-balance-transaction-behavior-for-debit-payment-methods
 */
export function submitted(world: World, charge: Charge): Charge {
  if (charge.balance_transaction) return charge;
  const { id: source, amount, currency } = charge;
  const { id } = world.ledger.put("balanceTransactions", {
    id: world.ids.next("txn_3"),
    object: "balance_transaction",
    amount,
    created: seconds(world),
    currency,
    source,
  });
  return { ...charge, balance_transaction: id };
}

/** A charge whose money arrives now: of a delayed payment, later than it was made. */
export const arrived = (world: World, charge: Charge): Charge => ({
  ...submitted(world, charge),
  amount_captured: charge.amount,
  paid: true,
  status: "succeeded",
});
