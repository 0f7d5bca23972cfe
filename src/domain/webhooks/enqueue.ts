import { sql } from "drizzle-orm";
import type { Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { webhookDeliveries } from "../schema/webhooks";
import type { Endpoint } from "./endpoints";
import { isDeliveryWaiting } from "./outcome";

/** A delivery that may be made. */
export type PossibleDelivery = { id: string; event: string; endpoint: string };

/** A new delivery of an event to each of these endpoints that is enabled. */
export const possibleDeliveriesOf = ({
  event,
  endpoints,
}: {
  event: string;
  endpoints: Endpoint[];
}): PossibleDelivery[] =>
  endpoints
    .filter(({ disabledAt }) => disabledAt === null)
    .map(({ id: endpoint }) => ({ id: `dlv_${newId()}`, event, endpoint }));

/**
 * Creates those whose endpoint still exists and is enabled, and whose event is still stored. A delivery that already waits
 * becomes due now.
 */
export function deliveriesFor({ store: { db }, now }: Ctx, pairs: PossibleDelivery[]): Write {
  const at = now().getTime();
  return db
    .insert(webhookDeliveries)
    .select(
      // in the order of the table's columns
      sql`SELECT value ->> 'id', value ->> 'event', value ->> 'endpoint', 'waiting', 0, ${at}, ${at}, NULL, NULL, NULL, NULL, NULL
      FROM json_each(${JSON.stringify(pairs)})
      WHERE EXISTS (
          SELECT 1 FROM webhook_endpoints e
          WHERE e.id = value ->> 'endpoint' AND e.removed_at IS NULL AND e.disabled_at IS NULL)
        AND EXISTS (SELECT 1 FROM webhook_events v WHERE v.id = value ->> 'event')`,
    )
    .onConflictDoUpdate({
      target: [webhookDeliveries.eventId, webhookDeliveries.endpointId],
      targetWhere: isDeliveryWaiting,
      set: { dueAt: sql`min(due_at, excluded.due_at)` },
    });
}
