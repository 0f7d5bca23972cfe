import { and, eq, isNull, ne } from "drizzle-orm";
import { type WebhookType, webhookTypeNames } from "@/contract/wire/webhooks";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustNotExist, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { authorize, expectConfirmed } from "../permissions";
import { webhookEndpoints } from "../schema/webhooks";
import { changing, type Endpoint, endpointOf, type EndpointView, loggedEndpoint, viewOf } from "./endpoints";
import { checkUrl, type PrivateAllowed, type UrlProblem } from "./endpoint-url";
import { webhookSecretContext } from "./sealing";
import { newSecret } from "./signature";

const mostEndpoints = 50;

/** The types that an endpoint can listen to; a test goes to whom it is for. */
const listenableTypes = webhookTypeNames.filter((name) => name !== "webhook.test");

export type WantedEndpoint = {
  url: string;
  /** As typed; null for all of them, later ones too. */
  types: readonly string[] | null;
};

/** `allowPrivate`: `WEBHOOKS_ALLOW_PRIVATE`. */
type Allowed = { allowPrivate: PrivateAllowed };

/**
 * Adds an endpoint, which receives events from now on. Returns its secret, which is never shown again. Refuses with
 * `webhook_limit` beyond fifty, `webhook_exists` for a URL that an endpoint has, `webhook_url_refused` and
 * `webhook_type_unknown`.
 */
export async function addEndpoint(
  ctx: Ctx,
  wanted: WantedEndpoint & Allowed,
  by: By,
): Promise<{ endpoint: EndpointView; secret: string }> {
  authorize(by, "webhook.add");
  expectConfirmed(ctx, by, "webhook.add");
  // a secret of the copy would be given to a receiver of the shop
  await expectNoCopy(ctx);
  const id = `ep_${newId()}`;
  const secret = newSecret();
  const fresh = {
    id,
    url: acceptedUrl(wanted.url, wanted),
    types: acceptedTypes(wanted.types),
    secretSealed: ctx.secrets.seal(secret, webhookSecretContext(id)),
    createdAt: ctx.now(),
  };
  await commit(ctx.store, [
    roomForOne(ctx),
    urlIsFree(ctx, fresh),
    ctx.store.db.insert(webhookEndpoints).values(fresh),
    record(ctx, { ...by, action: "webhook.added", subject: id, detail: loggedEndpoint(fresh) }),
  ]);
  return { endpoint: viewOf(ctx, await endpointOf(ctx, id)), secret };
}

/**
 * Changes where an endpoint is or what it listens to; what waits for it goes to the new URL. Refuses like
 * {@link addEndpoint}, with `webhook_unknown`, and with `conflict` if somebody changed it meanwhile.
 */
export async function changeEndpoint(
  ctx: Ctx,
  { id, ...wanted }: { id: string } & Partial<WantedEndpoint> & Allowed,
  by: By,
): Promise<EndpointView> {
  authorize(by, "webhook.change");
  const before = await endpointOf(ctx, id);
  expectConfirmed(ctx, by, "webhook.change");
  const url = wanted.url === undefined ? before.url : acceptedUrl(wanted.url, wanted);
  const types = wanted.types === undefined ? before.types : acceptedTypes(wanted.types);
  const after = { id, url, types };
  await commit(ctx.store, [
    urlIsFree(ctx, after),
    // another URL is another receiver
    ...changing(ctx, before, { url, types, ...(url === before.url ? {} : { failingSince: null }) }),
    record(ctx, {
      ...by,
      action: "webhook.changed",
      subject: id,
      detail: {
        before: loggedEndpoint(before),
        after: loggedEndpoint(after),
        url_changed: url !== before.url,
      },
    }),
  ]);
  return viewOf(ctx, await endpointOf(ctx, id));
}

/** Removes an endpoint: nothing more is sent to it, and what was is deleted within the hour. */
export async function removeEndpoint(ctx: Ctx, id: string, by: By): Promise<EndpointView> {
  authorize(by, "webhook.remove");
  const endpoint = await endpointOf(ctx, id);
  expectConfirmed(ctx, by, "webhook.remove");
  await commit(ctx.store, [
    ...changing(ctx, endpoint, { removedAt: ctx.now(), formerSecretSealed: null, formerSecretUntil: null }),
    record(ctx, { ...by, action: "webhook.removed", subject: id, detail: loggedEndpoint(endpoint) }),
  ]);
  return viewOf(ctx, endpoint);
}

/** In the commit, so that two at once can't make fifty-one. */
function roomForOne({ store: { db } }: Ctx): Write {
  const fiftieth = db
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(isNull(webhookEndpoints.removedAt))
    .limit(1)
    .offset(mostEndpoints - 1);
  return mustNotExist(fiftieth, "webhook_limit", {});
}

/** A second one with the same URL would get everything twice, and is almost always a mistake. */
function urlIsFree({ store: { db } }: Ctx, { id, url }: Pick<Endpoint, "id" | "url">): Write {
  const other = db
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(
      and(eq(webhookEndpoints.url, url), ne(webhookEndpoints.id, id), isNull(webhookEndpoints.removedAt)),
    );
  return mustNotExist(other, "webhook_exists", {});
}

/** In the one spelling that is stored. */
function acceptedUrl(typed: string, { allowPrivate }: Allowed): string {
  const checked = checkUrl(typed.trim(), { allowPrivate });
  if (checked.ok) return checked.url.href;
  throw new Refusal("webhook_url_refused", { field: "url", sentence: urlSentences[checked.problem] });
}

const urlSentences: Record<UrlProblem, string> = {
  too_long: "An endpoint's URL has at most 2,000 characters.",
  malformed: "That is not a URL such as https://example.com/hooks.",
  not_https: "An endpoint's URL must begin with https://.",
  credentials:
    "A user name or password can't stand in an endpoint's URL: receivers check the signature instead.",
  fragment: "An endpoint's URL has no part after #, which is never sent.",
  port: "That port does not exist.",
  inner_address:
    "That host is not on the public internet, and webhooks are sent only there (WEBHOOKS_ALLOW_PRIVATE=true is for development).",
  not_this_machine:
    "This is the demo, which speaks to this machine alone: an endpoint's host is 127.0.0.1, [::1], localhost or a name that ends in .localhost.",
};

/** Each once, in the order of the table. */
function acceptedTypes(typed: readonly string[] | null): WebhookType[] | null {
  if (typed === null) return null;
  const unknown = typed.filter((name) => !listenableTypes.some((type) => type === name));
  const known = listenableTypes.join(", ");
  if (unknown.length > 0 || typed.length === 0) {
    const what =
      unknown.length > 0 ? `There is no event ${unknown.join(", ")} to listen to.` : "Name an event.";
    throw new Refusal("webhook_type_unknown", { field: "types", sentence: `${what} There are: ${known}.` });
  }
  return listenableTypes.filter((type) => typed.includes(type));
}
