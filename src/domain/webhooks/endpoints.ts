import { and, asc, eq, isNull, type SQL } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { WebhookType } from "@/contract/wire/webhooks";
import type { Actor } from "@/core/base/actor";
import { mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { authorize } from "../permissions";
import { webhookEndpoints } from "../schema/webhooks";

export type Endpoint = typeof webhookEndpoints.$inferSelect;

/** An endpoint for display, without its secrets. */
export type EndpointView = Pick<
  Endpoint,
  "id" | "url" | "types" | "createdAt" | "failingSince" | "disabledAt" | "disabledWhy" | "formerSecretUntil"
>;

/** Every endpoint, the oldest first; at most fifty. */
export async function listEndpoints(ctx: Ctx, actor: Actor): Promise<EndpointView[]> {
  authorize(actor, "webhook.read");
  return (await currentEndpoints(ctx)).map((endpoint) => endpointView(ctx, endpoint));
}

/** The endpoints that are not removed. */
export const currentEndpoints = ({ store: { db } }: Ctx): Promise<Endpoint[]> =>
  db
    .select()
    .from(webhookEndpoints)
    .where(isNull(webhookEndpoints.removedAt))
    .orderBy(asc(webhookEndpoints.id));

/** Refuses with `webhook_unknown`, also for an endpoint that was removed. */
export async function endpointOf({ store: { db } }: Ctx, id: string): Promise<Endpoint> {
  const [found] = await db
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, id), isNull(webhookEndpoints.removedAt)));
  if (!found) throw new Refusal("webhook_unknown");
  return found;
}

/** Whether staff chose this type for the endpoint; null is every type. */
export const listensTo = ({ types }: Pick<Endpoint, "types">, type: WebhookType): boolean =>
  types === null || types.includes(type);

export function endpointView(ctx: Ctx, endpoint: Endpoint): EndpointView {
  const { id, url, types, createdAt, failingSince, disabledAt, disabledWhy, formerSecretUntil } = endpoint;
  const former = formerSecretUntil && formerSecretUntil > ctx.now() ? formerSecretUntil : null;
  return { id, url, types, createdAt, failingSince, disabledAt, disabledWhy, formerSecretUntil: former };
}

/** Changes an endpoint as it was read; the commit refuses with `conflict` if staff changed or removed it meanwhile. */
export const endpointUpdate = (
  { store: { db } }: Ctx,
  { id, version }: Endpoint,
  change: SQLiteUpdateSetSource<typeof webhookEndpoints>,
  condition?: SQL,
): Write[] => [
  db
    .update(webhookEndpoints)
    .set({ ...change, version: version + 1 })
    .where(
      and(
        eq(webhookEndpoints.id, id),
        eq(webhookEndpoints.version, version),
        isNull(webhookEndpoints.removedAt),
        condition,
      ),
    ),
  mustHaveChanged("conflict"),
];

/** What the audit log keeps of an endpoint: a path may hold a token. */
export const loggedEndpoint = ({ url, types }: Pick<Endpoint, "url" | "types">) => ({
  origin: new URL(url).origin,
  types,
});
