import { toWire } from "@/contract/wire/to-wire";
import * as declared from "@/contract/operations/webhooks";
import { serverKeyRow } from "@/contract/wire/desk/server-keys";
import { deliveryRow, type WebhookDetails, webhookRow } from "@/contract/wire/desk/webhooks";
import type { By } from "@/core/base/actor";
import { addServerKey, removeServerKey, serverKeysShown } from "../keys/server-keys";
import {
  addEndpoint,
  changeEndpoint,
  enableEndpoint,
  removeEndpoint,
  rotateSecret,
  testEndpoint,
} from "../webhooks/change-endpoint";
import { deliveriesOf, type DeliveryView, deliveryWithBody, endpointShown } from "../webhooks/deliveries";
import { listEndpoints, type EndpointView } from "../webhooks/endpoints";
import { replay, replaySinceForAWhile } from "../webhooks/replay";
import { implementList, implementPages, rowsAfter } from "./list";
import { implement, type Services } from "./operation";

/** The endpoints of other systems, and what was sent to them. */
export const webhookOperations = {
  listDeliveries: implementPages(declared.listDeliveries, {
    ids: /^dlv_/,
    async read({ ctx }, { endpoint, state }, { limit: most, after: before }, { actor }) {
      const page = await deliveriesOf(ctx, { endpoint, state, before: before ?? undefined, most }, actor);
      return { rows: page.rows.map(deliveryToWire), next: page.next };
    },
  }),
  showDelivery: implement(declared.showDelivery, {
    run: ({ ctx }, id, _, { actor }) => deliveryWithBody(ctx, id, actor),
    answer: async (_, { result }) => ({
      ...deliveryToWire(result),
      body: result.body,
      answer: result.answer,
    }),
  }),
  replayWebhooks: implement(declared.replayWebhooks, {
    run: async ({ ctx }, _, { id, since, endpoint }, by) =>
      since === undefined
        ? { ...(await replay(ctx, { id: id ?? "", endpoint }, by)), finished: true }
        : replaySinceForAWhile(ctx, { since: new Date(since), endpoint }, by),
    answer: async (_, { result: { finished, events, deliveries, alreadyWaiting, disabled } }) => ({
      finished,
      events,
      deliveries,
      already_waiting: alreadyWaiting,
      disabled,
    }),
  }),
  listWebhooks: implementList(declared.listWebhooks, {
    rows: async ({ ctx }, _, page, { actor }) =>
      rowsAfter(await listEndpoints(ctx, actor), page, placeOfEndpoint),
    place: placeOfEndpoint,
    wire: endpointRow,
  }),
  addWebhook: implement(declared.addWebhook, {
    run: ({ ctx, config }, _, { url, events: types }, by) =>
      addEndpoint(ctx, { url, types, allowPrivate: config.webhooksAllowPrivate }, by),
    answer: async (_, { result: { endpoint, secret } }) => ({ ...endpointRow(endpoint), secret }),
  }),
  showWebhook: implement(declared.showWebhook, { run: async () => null, answer: webhook }),
  changeWebhook: implement(declared.changeWebhook, {
    run({ ctx, config }, id, { url, events: types }, by) {
      const wanted = { ...(url === undefined ? {} : { url }), ...(types === undefined ? {} : { types }) };
      return changeEndpoint(ctx, { id, ...wanted, allowPrivate: config.webhooksAllowPrivate }, by);
    },
    answer: async (_, { result }) => endpointRow(result),
  }),
  enableWebhook: implement(declared.enableWebhook, {
    run: ({ ctx }, id, _, by) => enableEndpoint(ctx, id, by),
    answer: async (_, { result }) => endpointRow(result),
  }),
  testWebhook: implement(declared.testWebhook, {
    run: ({ ctx }, id, _, by) => testEndpoint(ctx, id, by),
    answer: webhook,
  }),
  rotateWebhookSecret: implement(declared.rotateWebhookSecret, {
    run: ({ ctx }, id, { at_once: atOnce }, by) => rotateSecret(ctx, { id, atOnce }, by),
    answer: async (_, { result: { endpoint, secret, ended } }) => ({
      ...endpointRow(endpoint),
      secret,
      ended: ended?.toISOString() ?? null,
    }),
  }),
  removeWebhook: implement(declared.removeWebhook, {
    run: ({ ctx }, id, _, by) => removeEndpoint(ctx, id, by),
    answer: async (_, { result }) => endpointRow(result),
  }),
};

async function webhook(
  { ctx }: Services,
  { subject: id, by }: { subject: string; by: By },
): Promise<WebhookDetails> {
  const shown = await endpointShown(ctx, id, by.actor);
  return { ...endpointRow(shown), waiting: shown.waiting, recent: shown.recent };
}

function endpointRow(one: EndpointView) {
  return toWire(webhookRow, { ...one, events: one.types });
}

function placeOfEndpoint({ id, createdAt }: EndpointView) {
  return { id, at: createdAt };
}

const deliveryToWire = (one: DeliveryView) =>
  toWire(deliveryRow, {
    ...one,
    endpoint: one.endpointId,
    event: one.eventId,
    dueAt: one.state === "waiting" ? one.dueAt : null,
  });

/** Keys with which other systems look up orders, licences and customers. */
export const serverKeyOperations = {
  listServerKeys: implementList(declared.listServerKeys, {
    rows: ({ ctx }, _, page, { actor }) => serverKeysShown(ctx, page, actor),
    place: ({ id, createdAt }) => ({ id, at: createdAt }),
    wire: (key) => toWire(serverKeyRow, key),
  }),
  addServerKey: implement(declared.addServerKey, {
    run: ({ ctx }, _, { name }, by) => addServerKey(ctx, name, by),
    answer: async (_, { result }) => ({ ...toWire(serverKeyRow, result), key: result.key }),
  }),
  removeServerKey: implement(declared.removeServerKey, {
    run: ({ ctx }, id, _, by) => removeServerKey(ctx, id, by),
    answer: async (_, { result }) => toWire(serverKeyRow, result),
  }),
};
