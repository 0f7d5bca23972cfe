import Stripe from "stripe";
import {
  CheckoutFailing,
  CheckoutForbidden,
  CheckoutKeyRefused,
  CheckoutRefused,
  CheckoutUnreachable,
} from "@/domain/payments/port/stripe";

/**
 * Runs a call to Stripe and translates its errors: refused (people may see Stripe's message) or unreachable (network,
 * 5xx, rate limit, our own key: nothing a buyer can fix). https://docs.stripe.com/error-handling
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
    if (error instanceof Stripe.errors.StripePermissionError) {
      throw new CheckoutForbidden(missingPermission.exec(error.message)?.[0] ?? null, { cause: error });
    }
    if (error instanceof Stripe.errors.StripeAuthenticationError) {
      throw new CheckoutKeyRefused("Stripe refuses the key", { cause: error });
    }
    if (error.statusCode) throw new CheckoutFailing(error.statusCode, { cause: error });
    throw new CheckoutUnreachable("Stripe could not be reached", { cause: error });
  }
}

const missingPermission = /\brak_[a-z0-9_]{1,80}/;

/** The call's result, or `otherwise` if Stripe refuses what it asks for; throws other errors. */
export async function unlessRefused<T, O>(
  call: () => Promise<T>,
  otherwise: () => O,
): Promise<T | Awaited<O>> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return await otherwise();
    throw error;
  }
}

/** Null for what Stripe doesn't know; throws all other errors. */
export function unlessMissing(error: unknown): null {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing")
    return null;
  throw error;
}

/** Nothing for what Stripe refuses, such as what was paid or voided meanwhile; throws all other errors. */
export function unlessClosed(error: unknown): void {
  const { StripeCardError, StripeInvalidRequestError } = Stripe.errors;
  if (!(error instanceof StripeInvalidRequestError || error instanceof StripeCardError)) throw error;
}
