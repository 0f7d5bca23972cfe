import type { Charge } from "../ledger";
import type { World } from "../world";
import { moveCharge } from "./balance";

/**
 * A charge that the bank is asked for. Stripe makes its balance transaction then, for a debit days before the money.
 * https://support.stripe.com/questions/changes-to-balance-transaction-behavior-for-debit-payment-methods
 */
export const submitted = moveCharge;

/** A charge whose money arrives now: of a delayed payment, later than it was made. */
export const arrived = (world: World, charge: Charge): Charge => ({
  ...submitted(world, charge),
  amount_captured: charge.amount,
  paid: true,
  status: "succeeded",
});
