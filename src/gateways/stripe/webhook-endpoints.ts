import { createHash } from "node:crypto";
import Stripe from "stripe";
import type { WatchedEvents, WebhookEndpoint } from "@/domain/payments/port/account-gateway";
import { unlessMissing } from "./errors";
import { type EventType, watchedEvents } from "./list-changes";

type StripeEndpoint = Stripe.WebhookEndpoint;

/** Stripe's records of the endpoints with this address: https://docs.stripe.com/api/webhook_endpoints */
export async function webhookEndpoints(
  stripe: Stripe,
  url: string,
  watching: WatchedEvents,
): Promise<WebhookEndpoint[] | "unread"> {
  try {
    return (await endpointsAt(stripe, url)).map((one) => endpointIn(one, watching));
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) return "unread";
    throw error;
  }
}

async function endpointsAt(stripe: Stripe, url: string): Promise<StripeEndpoint[]> {
  const all = await stripe.webhookEndpoints.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 });
  return all.filter((one) => one.url === url);
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

/** Makes an endpoint that bears the shop's id and a mark of its secret, which Stripe reveals once. */
export async function newEndpoint(
  stripe: Stripe,
  url: string,
  watching: WatchedEvents,
  shopId: string,
): Promise<{ id: string; secret: string }> {
  const { id, secret } = await stripe.webhookEndpoints.create({
    url,
    enabled_events: watchedEvents(watching),
    api_version: Stripe.API_VERSION,
    metadata: { shop: shopId },
  });
  if (!secret) throw new Error("Stripe gave no secret of the endpoint");
  // without the mark, the next set-up makes another; the secret is not lost for it
  await stripe.webhookEndpoints.update(id, { metadata: { secret: marked(secret) } }).catch(() => {});
  return { id, secret };
}

/** What an endpoint of set-up's should be: always with every type, so that it stays when subscriptions are sold. */
const everything: WatchedEvents = { subscriptions: true };
export const setUpEvents = watchedEvents(everything);

export type OwnEndpoint = {
  /** Where the shop takes Stripe's webhooks. */
  url: string;
  /** The shop's id, in the endpoint's metadata. */
  shopId: string;
  /** The webhook secrets that the shop accepts, the setting's first. */
  knownSecrets: string[];
};

type Made = {
  id: string;
  /** Endpoints of others with this address, which also send to it. */
  others: string[];
};
/**
 * `replaced unknown`: the shop accepts none of the former endpoints' secrets, so another machine may need them. `full`:
 * Stripe allows no more endpoints; `former` is the one of this shop's to delete first.
 */
export type AgreedEndpoint =
  | (Made & { secret: string; kind: "kept" | "made" | "replaced" | "replaced unknown" })
  | { kind: "full"; former: { id: string; isKnown: boolean } | null };

const bears = ({ metadata }: StripeEndpoint, secret: string) => metadata["secret"] === marked(secret);

/** Makes Stripe's endpoints agree with what the shop needs; the former ones of this shop stay until `deleteFormer`. */
export async function agreeEndpoint(
  stripe: Stripe,
  { url, shopId, knownSecrets }: OwnEndpoint,
): Promise<AgreedEndpoint> {
  const listed = await endpointsAt(stripe, url);
  const own = listed.filter((one) => isOwn(one, shopId));
  const others = listed.filter((one) => !own.includes(one)).map(({ id }) => id);
  const fits = own.filter((one) => one.api_version === Stripe.API_VERSION);
  const secret = knownSecrets.find((known) => fits.some((one) => bears(one, known)));
  const fit = secret === undefined ? undefined : fits.find((one) => bears(one, secret));
  if (secret !== undefined && fit) {
    if (fit.status !== "enabled" || lackedBy(fit, everything).length > 0)
      await stripe.webhookEndpoints.update(fit.id, { enabled_events: setUpEvents, disabled: false });
    return { kind: "kept", id: fit.id, secret, others };
  }
  const isKnown = (one: StripeEndpoint) => knownSecrets.some((known) => bears(one, known));
  const made = await newEndpoint(stripe, url, everything, shopId).catch((error: unknown) => {
    if (isAtLimit(error)) return null;
    throw error;
  });
  if (made === null) {
    const former = own.find((one) => !isKnown(one)) ?? own[0];
    return { kind: "full", former: former ? { id: former.id, isKnown: isKnown(former) } : null };
  }
  if (own.length === 0) return { kind: "made", ...made, others };
  return {
    kind: own.some(isKnown) ? "replaced" : "replaced unknown",
    ...made,
    others,
  };
}

/** https://docs.stripe.com/webhooks: 16 of each mode. */
const isAtLimit = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError && /\bmaximum of \d+\b/.test(error.message);

/** Deletes this shop's endpoints with its address but the one that is `kept`; returns their ids. */
export async function deleteFormer(
  stripe: Stripe,
  { url, shopId, kept }: Pick<OwnEndpoint, "url" | "shopId"> & { kept: string },
): Promise<string[]> {
  const former = (await endpointsAt(stripe, url)).filter((one) => isOwn(one, shopId) && one.id !== kept);
  for (const { id } of former) await stripe.webhookEndpoints.del(id).catch(unlessMissing);
  return former.map(({ id }) => id);
}

const isOwn = ({ metadata }: StripeEndpoint, shopId: string) => metadata["shop"] === shopId;

/** By which a secret is recognized and can't be found out. */
const marked = (secret: string) => createHash("sha256").update(secret).digest("hex").slice(0, 16);
