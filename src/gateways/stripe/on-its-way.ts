import type Stripe from "stripe";

type HeldIntent = Pick<Stripe.PaymentIntent, "status" | "next_action">;

/** Vouchers, bank transfers and small deposits, which the buyer pays or names days later. */
const laterActions: ReadonlySet<string> = new Set([
  "boleto_display_details",
  "display_bank_transfer_instructions",
  "konbini_display_details",
  "multibanco_display_details",
  "oxxo_display_details",
  "verify_with_microdeposits",
]);

/**
 * Whether money may still come without anything new being begun. A card that waits for its holder's confirmation is
 * not. https://docs.stripe.com/payments/paymentintents/lifecycle
 */
export const isOnItsWay = ({ status, next_action: action }: HeldIntent): boolean =>
  status === "processing" ||
  status === "requires_capture" ||
  (status === "requires_action" && action !== null && laterActions.has(action.type));

/**
 * The same for the payment of a one-time session that is complete and unpaid, whatever the method is. Of one that has
 * succeeded, the session says so a moment later.
 */
export const isOnItsWayOnce = ({ status }: HeldIntent): boolean =>
  status !== "canceled" && status !== "requires_payment_method";
