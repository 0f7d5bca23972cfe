import {
  CheckoutFailing,
  CheckoutForbidden,
  CheckoutKeyRefused,
  type CheckoutUnreachable,
} from "@/domain/payments/port/stripe";
import type { OpenShop } from "./command-line";

/** The address to which Stripe sends webhooks. */
export const stripeWebhookUrl = ({ publicUrl }: Pick<OpenShop["config"], "publicUrl">): string =>
  new URL("/api/stripe/webhook", publicUrl).href;

export const cannotRead = (url: string): string =>
  `Whether Stripe sends them to ${url} can't be told: the key lacks “Webhook Endpoints: Read” (rak_webhook_read).`;

/** Why Stripe could not be asked; no full stop at the end. */
export function stripeFault(error: CheckoutUnreachable): string {
  if (error instanceof CheckoutKeyRefused) return "Stripe refuses STRIPE_SECRET_KEY";
  if (error instanceof CheckoutForbidden || error instanceof CheckoutFailing) return error.message;
  return "Stripe can't be reached";
}
