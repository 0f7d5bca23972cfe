import { toWire } from "@/contract/wire/to-wire";
import * as declared from "@/contract/operations/settings";
import { blockRow } from "@/contract/wire/desk/blocks";
import { serverKeyRow } from "@/contract/wire/desk/server-keys";
import { type StaffAdded, staffInvitation, type StaffList, staffMember } from "@/contract/wire/desk/staff";
import { deliveryRow, type WebhookDetails, webhookRow } from "@/contract/wire/desk/webhooks";
import type { By } from "@/core/base/actor";
import { otherwiseOf } from "@/core/settings/given-settings";
import { settings } from "@/core/settings/settings";
import { linkUrl } from "../accounts/sessions/link-token";
import { blocksShown, removeBlock } from "../blocks/staff-actions";
import { addTypedBlock } from "../customers/block-computer";
import { dropDelivery, retryDelivery, stuckDeliveries } from "../jobs/deliveries";
import { addServerKey, removeServerKey, serverKeysShown } from "../keys/staff-actions";
import { chooseOwnerNotices, ownerNoticesOf } from "../notices/owner-mail";
import { type Appointed, addStaff, removeStaff, staffOfShop, wakeStaff } from "../staff/staff-actions";
import { expectMaySeeSettings } from "../system/system";
import { addEndpoint, changeEndpoint, removeEndpoint } from "../webhooks/change-endpoint";
import { deliveriesOf, type DeliveryView, deliveryWithBody, endpointShown } from "../webhooks/deliveries";
import { enableEndpoint } from "../webhooks/enable-endpoint";
import { endpoints, type EndpointView } from "../webhooks/endpoints";
import { replay } from "../webhooks/replay";
import { replaySinceForAWhile } from "../webhooks/replay-for-a-while";
import { rotateSecret } from "../webhooks/rotate-secret";
import { testEndpoint } from "../webhooks/send-test";
import { implementList, implementPages, rowsAfter } from "./list";
import { implement, type Services } from "./operation";

/** Who works for the shop. */
export const staffOperations = {
  listStaff: implement(declared.listStaff, { run: async () => null, answer: staff }),
  addStaff: implement(declared.addStaff, {
    run: ({ ctx, mail }, _, { name_or_email: named, role }, by) => addStaff(ctx, { named, role, mail }, by),
    answer: added,
  }),
  removeStaff: implement(declared.removeStaff, {
    run: ({ ctx }, id, _, by) => removeStaff(ctx, id, by),
    answer: staff,
  }),
  wakeStaff: implement(declared.wakeStaff, {
    run: ({ ctx }, id, _, by) => wakeStaff(ctx, id, by),
    answer: staff,
  }),
};

async function staff({ ctx }: Services, { by }: { by: By }): Promise<StaffList> {
  const { members, invitations } = await staffOfShop(ctx, by);
  return {
    members: members.map((one) => toWire(staffMember, one)),
    invitations: invitations.map((one) => toWire(staffInvitation, one)),
  };
}

async function added(
  { mail, config }: Services,
  { result: { account, role, invitation } }: { result: Appointed },
): Promise<StaffAdded> {
  if (!invitation) return { account, role, invitation: null };
  const { id, email, token } = invitation;
  const link = mail === "off" ? linkUrl(config.publicUrl, "/invitation", token) : null;
  return { account: null, role, invitation: { id, email, link } };
}

/** Devices, emails, networks and Discord users that are shut out. */
export const blockOperations = {
  listBlocks: implementList(declared.listBlocks, {
    rows: ({ ctx }, { kind }, page, { actor }) => blocksShown(ctx, { kind, ...page }, actor),
    place: ({ id, createdAt }) => ({ id, at: createdAt }),
    wire: (one) => toWire(blockRow, one),
  }),
  addBlock: implement(declared.addBlock, {
    run: ({ ctx }, _, typed, by) => addTypedBlock(ctx, typed, by),
    answer: async (_, { result }) => toWire(blockRow, result),
  }),
  removeBlock: implement(declared.removeBlock, {
    run: ({ ctx }, id, _, by) => removeBlock(ctx, id, by),
    answer: async (_, { result }) => toWire(blockRow, result),
  }),
};

/** The endpoints of other systems, and what was sent to them. */
export const webhookOperations = {
  listDeliveries: implementPages(declared.listDeliveries, {
    ids: /^dlv_/,
    async read({ ctx }, { endpoint, state }, { limit: most, after: before }, { actor }) {
      const page = await deliveriesOf(ctx, { endpoint, state, before: before ?? undefined, most }, actor);
      return { rows: page.rows.map(sent), next: page.next };
    },
  }),
  showDelivery: implement(declared.showDelivery, {
    run: ({ ctx }, id, _, { actor }) => deliveryWithBody(ctx, id, actor),
    answer: async (_, { result }) => ({ ...sent(result), body: result.body, answer: result.answer }),
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
      rowsAfter(await endpoints(ctx, actor), page, placeOfEndpoint),
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

const sent = (one: DeliveryView) =>
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

/** Jobs of the outbox that keep failing, and what the calling owner is mailed about. */
export const outboxOperations = {
  listStuckJobs: implement(declared.listStuckJobs, {
    run: ({ ctx }, _, _given, { actor }) => stuckDeliveries(ctx, actor),
    answer: async (_, { result: rows }) => ({ rows }),
  }),
  retryStuckJob: implement(declared.retryStuckJob, {
    run: ({ ctx }, id, _, by) => retryDelivery(ctx, id, by),
    answer: async (_, { subject: id }) => ({ id, state: "retried" as const }),
  }),
  dropStuckJob: implement(declared.dropStuckJob, {
    run: ({ ctx }, id, _, by) => dropDelivery(ctx, id, by),
    answer: async (_, { subject: id }) => ({ id, state: "dropped" as const }),
  }),
  showOwnerMails: implement(declared.showOwnerMails, {
    run: ({ ctx, desk }) => ownerNoticesOf(ctx, desk.actor),
    answer: async (_, { result }) => result,
  }),
  chooseOwnerMails: implement(declared.chooseOwnerMails, {
    run: ({ ctx, desk }, _, choice, { reason }) => chooseOwnerNotices(ctx, desk.actor, { choice, reason }),
    answer: async (_, { result }) => result,
  }),
};

/** What the shop was started with. */
export const settingOperations = {
  listSettings: implement(declared.listSettings, {
    async run({ config }, _, _given, { actor }) {
      expectMaySeeSettings(actor);
      return config.given;
    },
    answer: async (_, { result }) => ({
      rows: result.map(({ isSet, ...one }) => ({
        ...one,
        set: isSet,
        otherwise: otherwiseOf(one.name),
        meaning: settings[one.name].meaning,
      })),
      next: null,
    }),
  }),
};
