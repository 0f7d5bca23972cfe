import Stripe from "stripe";
import type { Watching, WebhookEndpoint } from "@/domain/payments/checkout/account-gateway";
import { watchedEvents } from "./list-changes";

/** Stripe's record of the endpoint with this address: https://docs.stripe.com/api/webhook_endpoints */
export async function webhookEndpoint(
  stripe: Stripe,
  url: string,
  watching: Watching,
): Promise<WebhookEndpoint | "unread" | "missing"> {
  try {
    const all = await stripe.webhookEndpoints.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 });
    const ours = all.filter((one) => one.url === url);
    const enabled = ours.filter(({ status }) => status === "enabled");
    const sent = new Set(enabled.flatMap(({ enabled_events: events }) => events));
    const lacks = sent.has("*") ? [] : watchedEvents(watching).filter((event) => !sent.has(event));
    return ours.length === 0
      ? "missing"
      : { enabled: enabled.length > 0, lacks, count: Math.max(1, enabled.length) };
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) return "unread";
    throw error;
  }
}
