import type { Endpoint } from "../world";
import { leadsHere } from "../../base/host";
import { found, invalid } from "./errors";
import { required, text, texts } from "./form";
import type { Call } from "./lists";

const seen = ({ world }: Call, endpoint: Endpoint) => ({
  object: "webhook_endpoint" as const,
  livemode: world.live,
  ...endpoint,
});

/** https://docs.stripe.com/api/webhook_endpoints/list */
export function listEndpoints(call: Call) {
  const data = call.world.endpoints.map((endpoint) => seen(call, endpoint));
  return { object: "list", data, has_more: false, url: call.path };
}

/**
 * Stripe refuses what the internet can't reach, and the simulator all but this machine. Only this answer has the secret.
 * https://docs.stripe.com/api/webhook_endpoints/create
 */
export function createEndpoint(call: Call) {
  const { world, params } = call;
  const made: Endpoint = {
    id: world.ids.next("we_1"),
    url: here(required(params, "url")),
    enabled_events: eventsIn(call),
    api_version: text(params, "api_version") ?? null,
    status: "enabled",
  };
  world.endpoints.push(made);
  return { ...seen(call, made), secret: world.ids.next("whsec_", 32) };
}

/** https://docs.stripe.com/api/webhook_endpoints/update */
export function updateEndpoint(call: Call) {
  const held = heldBy(call);
  held.enabled_events = eventsIn(call);
  return seen(call, held);
}

/** https://docs.stripe.com/api/webhook_endpoints/retrieve */
export const readEndpoint = (call: Call) => seen(call, heldBy(call));

/** https://docs.stripe.com/error-codes#url-invalid */
function here(url: string): string {
  if (leadsHere(url)) return url;
  const message = `Invalid URL: ${url}. The simulator posts to this machine alone.`;
  throw invalid(message, { code: "url_invalid", param: "url" });
}

const heldBy = ({ world, id }: Call): Endpoint =>
  found(
    world.endpoints.find((one) => one.id === id),
    "webhook_endpoint",
    id,
  );

const eventsIn = ({ params }: Call) => texts(params, "enabled_events");
