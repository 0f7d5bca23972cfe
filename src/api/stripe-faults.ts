import { Refusal } from "@/core/base/refusal";
import { CheckoutRefused, CheckoutUnreachable } from "@/domain/payments/port/stripe";

const away = "Stripe can't be reached right now, please try again in a moment";

/** What staff ask Stripe for. Refuses with `checkout_unreachable`, and with `checkout_refused` and Stripe's sentence. */
export async function askingStripe<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CheckoutUnreachable) throw new Refusal("checkout_unreachable", { sentence: away });
    if (error instanceof CheckoutRefused) throw new Refusal("checkout_refused", { sentence: error.message });
    throw error;
  }
}
