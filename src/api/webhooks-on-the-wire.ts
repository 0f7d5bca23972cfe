import type { DeliveryRow, WebhookRow } from "@/contract/wire/desk/webhooks";
import type { DeliveryView } from "@/domain/webhooks/deliveries";
import type { EndpointView } from "@/domain/webhooks/endpoints";

/** An endpoint of other systems as the desk shows it. */
export const endpointOnTheWire = (endpoint: EndpointView): WebhookRow => ({
  id: endpoint.id,
  url: endpoint.url,
  events: endpoint.types,
  created_at: endpoint.createdAt.toISOString(),
  failing_since: endpoint.failingSince?.toISOString() ?? null,
  disabled_at: endpoint.disabledAt?.toISOString() ?? null,
  disabled_why: endpoint.disabledWhy,
  former_secret_until: endpoint.formerSecretUntil?.toISOString() ?? null,
});

/** A delivery without what was sent and answered. */
export const deliveryOnTheWire = (one: DeliveryView): DeliveryRow => ({
  id: one.id,
  endpoint: one.endpointId,
  event: one.eventId,
  type: one.type,
  state: one.state,
  attempts: one.attempts,
  created_at: one.createdAt.toISOString(),
  tried_at: one.triedAt?.toISOString() ?? null,
  due_at: one.state === "waiting" ? one.dueAt.toISOString() : null,
  milliseconds: one.milliseconds,
  status: one.status,
  failure: one.failure,
});
