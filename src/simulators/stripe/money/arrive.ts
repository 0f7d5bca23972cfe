import type { Charge } from "../ledger";
import { type World, seconds } from "../world";

/** A charge whose money arrives now: of a delayed payment, later than it was made. */
export function arrived(world: World, charge: Charge): Charge {
  const { id: source, amount, currency } = charge;
  const { id } = world.ledger.put("balanceTransactions", {
    id: world.ids.next("txn_3"),
    object: "balance_transaction",
    amount,
    created: seconds(world),
    currency,
    source,
  });
  return { ...charge, amount_captured: amount, balance_transaction: id, paid: true, status: "succeeded" };
}
