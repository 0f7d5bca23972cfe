import Stripe from "stripe";
import type { WatchedEvents, WebhookEndpoint } from "@/domain/payments/port/account-gateway";
import { type EventType, watchedEvents } from "./list-changes";

type StripeEndpoint = Stripe.WebhookEndpoint;

/** Stripe's records of the endpoints with this address: https://docs.stripe.com/api/webhook_endpoints */
export async function webhookEndpoints(
  stripe: Stripe,
  url: string,
  watching: WatchedEvents,
): Promise<WebhookEndpoint[] | "unread"> {
  try {
    const all = await stripe.webhookEndpoints.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 });
    return all.filter((one) => one.url === url).map((one) => endpointIn(one, watching));
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) return "unread";
    throw error;
  }
}

const endpointIn = (stored: StripeEndpoint, watching: WatchedEvents): WebhookEndpoint => ({
  id: stored.id,
  enabled: stored.status === "enabled",
  lacks: lackedBy(stored, watching),
  version: stored.api_version,
  isOwnVersion: stored.api_version === Stripe.API_VERSION,
});

const lackedBy = ({ enabled_events: sent }: StripeEndpoint, watching: WatchedEvents): EventType[] =>
  sent.includes("*") ? [] : watchedEvents(watching).filter((event) => !sent.includes(event));

/** Adds what an endpoint lacks to what it sends. */
export async function addEvents(stripe: Stripe, id: string, watching: WatchedEvents): Promise<void> {
  const stored = await stripe.webhookEndpoints.retrieve(id);
  const sent = stored.enabled_events as EventType[];
  await stripe.webhookEndpoints.update(id, { enabled_events: [...sent, ...lackedBy(stored, watching)] });
}

/** Stripe reveals an endpoint's secret once. */
export async function newEndpoint(
  stripe: Stripe,
  url: string,
  watching: WatchedEvents,
): Promise<{ id: string; secret: string }> {
  const { id, secret } = await stripe.webhookEndpoints.create({
    url,
    enabled_events: watchedEvents(watching),
    api_version: Stripe.API_VERSION,
  });
  if (!secret) throw new Error("Stripe gave no secret of the endpoint");
  return { id, secret };
}
