import { and, eq, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { type WebhookType, webhookTypeNames } from "@/contract/wire/webhooks";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustNotExist, retryOnConflict, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { yieldToEventLoop } from "@/core/base/yield";
import { day } from "@/contract/vocabulary/time";
import { authorize, expectConfirmed } from "../permissions";
import { webhookDeliveries, webhookEndpoints } from "../schema/webhooks";
import {
  endpointUpdate,
  type Endpoint,
  endpointOf,
  type EndpointView,
  loggedEndpoint,
  endpointView,
} from "./endpoints";
import { checkUrl, type PrivateAllowed, type UrlProblem } from "./endpoint-url";
import { webhookSecretContext } from "./sealing";
import { newSecret } from "./signature";
import { cancelSome } from "./deliver";
import { isDeliveryWaiting } from "./outcome";

const mostEndpoints = 50;

/** The types that an endpoint can listen to; a test goes to whom it is for. */
const listenableTypes = webhookTypeNames.filter((name) => name !== "webhook.test");

type WantedEndpoint = {
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
    mustFitOneMore(ctx),
    mustHaveFreeUrl(ctx, fresh),
    ctx.store.db.insert(webhookEndpoints).values(fresh),
    record(ctx, { ...by, action: "webhook.added", subject: id, detail: loggedEndpoint(fresh) }),
  ]);
  return { endpoint: endpointView(ctx, await endpointOf(ctx, id)), secret };
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
    mustHaveFreeUrl(ctx, after),
    // another URL is another receiver
    ...endpointUpdate(ctx, before, { url, types, ...(url === before.url ? {} : { failingSince: null }) }),
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
  return endpointView(ctx, await endpointOf(ctx, id));
}

/** Removes an endpoint: nothing more is sent to it, and what was is deleted within the hour. */
export async function removeEndpoint(ctx: Ctx, id: string, by: By): Promise<EndpointView> {
  authorize(by, "webhook.remove");
  const endpoint = await endpointOf(ctx, id);
  expectConfirmed(ctx, by, "webhook.remove");
  await commit(ctx.store, [
    ...endpointUpdate(ctx, endpoint, {
      removedAt: ctx.now(),
      formerSecretSealed: null,
      formerSecretUntil: null,
    }),
    record(ctx, { ...by, action: "webhook.removed", subject: id, detail: loggedEndpoint(endpoint) }),
  ]);
  return endpointView(ctx, endpoint);
}

/** In the commit, so that two at once can't make fifty-one. */
function mustFitOneMore({ store: { db } }: Ctx): Write {
  const fiftieth = db
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(isNull(webhookEndpoints.removedAt))
    .limit(1)
    .offset(mostEndpoints - 1);
  return mustNotExist(fiftieth, "webhook_limit", {});
}

/** A second one with the same URL would get everything twice, and is almost always a mistake. */
function mustHaveFreeUrl({ store: { db } }: Ctx, { id, url }: Pick<Endpoint, "id" | "url">): Write {
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
    "An endpoint's URL can't contain a user name or password. Receivers check the signature instead.",
  fragment: "An endpoint's URL can't have a part after #, which is never sent.",
  port: "That port does not exist.",
  inner_address:
    "That host is not on the public internet, and webhooks are only sent there (WEBHOOKS_ALLOW_PRIVATE=true is for development).",
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
      unknown.length > 0
        ? `There is no event ${unknown.join(", ")} to listen to.`
        : "Choose at least one event.";
    throw new Refusal("webhook_type_unknown", { field: "types", sentence: `${what} There are: ${known}.` });
  }
  return listenableTypes.filter((type) => typed.includes(type));
}

/**
 * Sends to a disabled endpoint again, from the next event on; what waited for it is cancelled first, and can be
 * replayed. Refuses with `webhook_unknown`, or `webhook_enabled` if it is not disabled.
 */
export function enableEndpoint(ctx: Ctx, id: string, by: By): Promise<EndpointView> {
  authorize(by, "webhook.enable");
  return retryOnConflict(async () => {
    const endpoint = await endpointOf(ctx, id);
    expectConfirmed(ctx, by, "webhook.enable");
    if (!endpoint.disabledAt) throw new Refusal("webhook_enabled");
    while ((await cancelSome(ctx, id)) > 0) await yieldToEventLoop();
    await commit(ctx.store, [
      mustNotExist(waitingFor(ctx, id), "conflict", {}),
      ...endpointUpdate(
        ctx,
        endpoint,
        { disabledAt: null, disabledWhy: null, failingSince: null },
        isNotNull(webhookEndpoints.disabledAt),
      ),
      record(ctx, {
        ...by,
        action: "webhook.enabled",
        subject: id,
        detail: { disabled_since: endpoint.disabledAt.toISOString() },
      }),
    ]);
    return endpointView(ctx, await endpointOf(ctx, id));
  });
}

const waitingFor = ({ store: { db } }: Ctx, endpointId: string) =>
  db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.endpointId, endpointId), isDeliveryWaiting))
    .limit(1);

/** How long the former secret still signs as well. */
const bothMilliseconds = day;

/**
 * Gives an endpoint a new secret, which is in this answer and never shown again. The former one signs beside it for 24
 * hours, or with `atOnce` no longer. The one before that ends now, so that there are never more than two: `ended` is
 * until when it would have signed, null if there was none. Refuses with `webhook_unknown`, and with `conflict` if
 * somebody changed the endpoint meanwhile.
 */
export async function rotateSecret(
  ctx: Ctx,
  { id, atOnce }: { id: string; atOnce: boolean },
  by: By,
): Promise<{ endpoint: EndpointView; secret: string; ended: Date | null }> {
  authorize(by, "webhook.rotate");
  const endpoint = await endpointOf(ctx, id);
  expectConfirmed(ctx, by, "webhook.rotate");
  await expectNoCopy(ctx);
  const secret = newSecret();
  const until = atOnce ? null : new Date(ctx.now().getTime() + bothMilliseconds);
  await commit(ctx.store, [
    ...endpointUpdate(ctx, endpoint, {
      secretSealed: ctx.secrets.seal(secret, webhookSecretContext(id)),
      formerSecretSealed: atOnce ? null : sql`${webhookEndpoints.secretSealed}`,
      formerSecretUntil: until,
    }),
    record(ctx, {
      ...by,
      action: "webhook.rotated",
      subject: id,
      detail: { former_until: until && until.toISOString() },
    }),
  ]);
  const ended = endpointView(ctx, endpoint).formerSecretUntil;
  return { endpoint: endpointView(ctx, await endpointOf(ctx, id)), secret, ended };
}

/**
 * Has `webhook.test` sent to an endpoint, whatever it listens to: the entry becomes that event. Refuses with
 * `webhook_unknown`, `webhook_disabled`, and `copy` on a restored copy.
 */
export async function testEndpoint(ctx: Ctx, id: string, by: By): Promise<void> {
  authorize(by, "webhook.test");
  const endpoint = await endpointOf(ctx, id);
  expectConfirmed(ctx, by, "webhook.test");
  await expectNoCopy(ctx);
  expectEnabled(endpoint);
  await commit(ctx.store, [record(ctx, { ...by, action: "webhook.tested", subject: id })]);
}

export function expectEnabled({ disabledAt }: Pick<Endpoint, "disabledAt">): void {
  if (disabledAt) throw new Refusal("webhook_disabled");
}
