import { isDeepStrictEqual } from "node:util";
import type Stripe from "stripe";
import type { Delivery } from "./ledger";
import type { Part } from "./part";
import { type World, seconds } from "./world";

/** The pinned SDK's version; the type check fails when the SDK changes it. */
export const apiVersion = "2026-10-28.endive" satisfies Stripe.LatestApiVersion;

type EventType = Stripe.Event["type"];
type ObjectOf<T extends EventType> = Extract<Stripe.Event, { type: T }>["data"]["object"];

/**
 * Records an event with the object's present state, and queues it for the endpoint. With the object as it was `before`,
 * the event has `previous_attributes`.
 */
export function emit<T extends EventType>(
  world: World,
  type: T,
  object: Part<ObjectOf<T>>,
  before?: Part<ObjectOf<T>>,
) {
  if (world.silent) return;
  const event = {
    id: world.ids.next("evt_1"),
    object: "event",
    api_version: world.wire.version,
    // an event at a future time of a test clock is sent with the present time
    created: Math.min(seconds(world), Math.floor(world.present() / 1000)),
    data: {
      object: inVersion(world.wire.version, object),
      ...(before !== undefined && { previous_attributes: changedFields(before, object) }),
    },
    livemode: false,
    pending_webhooks: 1,
    request: world.cause ?? { id: null, idempotency_key: null },
    type,
  } satisfies Record<Exclude<keyof Stripe.EventBase, "account" | "context">, unknown>;
  // the generic pairs type and partial object, which the compiler can't see
  const made = event as unknown as Stripe.Event;
  world.ledger.put("events", made);
  if (world.withheld.next > 0) {
    world.withheld.next -= 1;
    world.withheld.events.add(made.id);
  }
  const waiting: Omit<Delivery, "id"> = { state: "waiting", since: world.present(), attempts: [] };
  const isLive = "livemode" in object && object.livemode === true;
  for (const { id, secret, status, live, enabled_events: sent } of world.endpoints)
    if (
      secret !== undefined &&
      status === "enabled" &&
      live === isLive &&
      (sent.includes("*") || sent.includes(type))
    )
      world.ledger.put("deliveries", { id: `${made.id} ${id}`, ...waiting });
  if (world.wire.types?.has(type) === false) return;
  world.ledger.put("deliveries", { id: made.id, ...waiting });
}

/** From this version on, an invoice names its subscription below `parent`. */
const parentsSince = "2025-03-31";

/** The object in the form of that API version. */
function inVersion(version: string, object: object): object {
  if (version >= parentsSince || !("object" in object) || object.object !== "invoice") return object;
  const { parent, ...invoice } = object as Part<Stripe.Invoice>;
  const details = parent?.subscription_details;
  return {
    ...invoice,
    subscription: details?.subscription ?? null,
    subscription_details: details ? { metadata: details.metadata } : null,
  };
}

/** The fields that differ, with their values before, also within objects; a new field was null. */
function changedFields(before: object, after: object): Record<string, unknown> {
  const beforeFields = new Map<string, unknown>(Object.entries(before));
  const afterFields = new Map<string, unknown>(Object.entries(after));
  const differing: Record<string, unknown> = {};
  for (const name of new Set([...beforeFields.keys(), ...afterFields.keys()])) {
    const [was, is] = [beforeFields.get(name) ?? null, afterFields.get(name) ?? null];
    if (isDeepStrictEqual(was, is)) continue;
    differing[name] = isPlain(was) && isPlain(is) ? changedFields(was, is) : was;
  }
  return differing;
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The event as the API returns it: `pending_webhooks` is 0 once it is delivered. */
export function eventForApi(world: World, event: Stripe.Event): Stripe.Event {
  const waiting = world.ledger.deliveries.get(event.id)?.state === "waiting";
  return { ...event, pending_webhooks: waiting ? 1 : 0 };
}
