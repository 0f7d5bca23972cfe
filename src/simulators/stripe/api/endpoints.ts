import { leadsHere } from "../../base/host";
import { type Endpoint, seconds, type World } from "../world";
import { found, invalid } from "./errors";
import { boolean, type Form, merged, onlyKnown, required, strings, text, texts } from "./form";
import type { Call } from "./lists";

/** https://docs.stripe.com/api/webhook_endpoints/list */
export function listEndpoints(call: Call) {
  const data = ofMode(call.world).map((endpoint) => seen(call, endpoint));
  return { object: "list", data, has_more: false, url: call.path };
}

/** https://docs.stripe.com/api/webhook_endpoints/create. Only this answer has the secret. */
export function createEndpoint(call: Call) {
  const { world, params } = call;
  onlyKnown(params, ["url", "enabled_events", "api_version", "description", "metadata"]);
  const url = addressIn(call);
  const enabled_events = eventsIn(params);
  if (ofMode(world).length >= most) throw invalid(tooMany(world));
  const secret = world.ids.next("whsec_", 32);
  const made: Endpoint = {
    id: world.ids.next("we_1"),
    url,
    enabled_events,
    api_version: versionIn(params),
    metadata: strings(params, "metadata"),
    status: "enabled",
    created: seconds(world),
    secret,
    live: world.live,
  };
  world.endpoints.push(made);
  keepEndpoints(world);
  return { ...seen(call, made), secret };
}

/** https://docs.stripe.com/api/webhook_endpoints/update; the version stays. */
export function updateEndpoint(call: Call) {
  const { world, params } = call;
  const held = heldBy(call);
  onlyKnown(params, ["url", "enabled_events", "disabled", "description", "metadata"]);
  if (params["url"] !== undefined) held.url = addressIn(call);
  if (params["enabled_events"] !== undefined) held.enabled_events = eventsIn(params);
  const disabled = boolean(params, "disabled");
  if (disabled !== undefined) held.status = disabled ? "disabled" : "enabled";
  held.metadata = merged(held.metadata, params);
  keepEndpoints(world);
  return seen(call, held);
}

/** https://docs.stripe.com/api/webhook_endpoints/retrieve */
export const readEndpoint = (call: Call) => seen(call, heldBy(call));

/** https://docs.stripe.com/api/webhook_endpoints/delete */
export function deleteEndpoint(call: Call) {
  const { id } = heldBy(call);
  call.world.endpoints = call.world.endpoints.filter((one) => one.id !== id);
  keepEndpoints(call.world);
  return { id, object: "webhook_endpoint", deleted: true };
}

/** Those made by calls outlive the simulator's process. */
export function keepEndpoints({ endpoints, ledger }: World): void {
  ledger.keep("endpoints", JSON.stringify(endpoints.filter(({ secret }) => secret !== undefined)));
}

const ofMode = ({ endpoints, live }: World): Endpoint[] =>
  endpoints.filter((one) => one.live === undefined || one.live === live);

const seen = ({ world }: Call, { secret: _secret, live: _live, ...endpoint }: Endpoint) => ({
  object: "webhook_endpoint" as const,
  created: 0,
  livemode: world.live,
  ...endpoint,
});

/** https://docs.stripe.com/webhooks: of each mode. */
const most = 16;

const tooMany = ({ live }: World) =>
  `You have reached the maximum of ${most} ${live ? "" : "test "}webhook endpoints.`;

/**
 * The address of the call, https in live mode. Stripe refuses what the internet can't reach, and the simulator all but
 * this machine. https://docs.stripe.com/error-codes#url-invalid
 */
function addressIn({ world, params }: Call): string {
  const url = required(params, "url");
  const refused = (why: string) =>
    invalid(`Invalid URL: ${url}. ${why}`, { code: "url_invalid", param: "url" });
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw refused("An explicit scheme (such as https) must be provided.");
  if (world.live && !url.startsWith("https:")) throw refused(`URLs in livemode must begin with "https://"`);
  if (!leadsHere(url)) throw refused("The simulator posts to this machine alone.");
  return url;
}

/** A version of the API by its date, such as `2026-10-28.endive`. */
function versionIn(params: Form): string | null {
  const version = text(params, "api_version") ?? null;
  if (version === null || /^\d{4}-\d{2}-\d{2}(\.[a-z]+)?$/.test(version)) return version;
  throw invalid(`Invalid Stripe API version: ${version}`, { param: "api_version" });
}

const heldBy = ({ world, id }: Call): Endpoint =>
  found(
    ofMode(world).find((one) => one.id === id),
    "webhook_endpoint",
    id,
  );

function eventsIn(params: Form): string[] {
  const given = texts(params, "enabled_events");
  if (given.length === 0)
    throw invalid("Missing required param: enabled_events.", {
      code: "parameter_missing",
      param: "enabled_events",
    });
  return given;
}
