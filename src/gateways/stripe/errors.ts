import Stripe from "stripe";
import { CheckoutRefused, CheckoutUnreachable } from "@/domain/payments/checkout";

/**
 * Runs a call to Stripe and turns its errors into the domain's two: refused (Stripe's sentence may be
 * shown) and unreachable (network, 5xx, rate limit, our own credentials: nothing a buyer can mend).
 * https://docs.stripe.com/error-handling
 */
export async function translated<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    if (
      error instanceof Stripe.errors.StripeInvalidRequestError ||
      error instanceof Stripe.errors.StripeCardError
    ) {
      throw new CheckoutRefused(error.message, { cause: error });
    }
    throw new CheckoutUnreachable("Stripe could not be reached", { cause: error });
  }
}
