import { eq } from "drizzle-orm";
import { deviceCauses, licenseCauses, type WebhookData, type WebhookType } from "@/contract/wire/webhooks";
import type { Entry } from "@/core/database/audit";
import type { Ctx } from "@/core/database/context";
import { linkOf } from "../discord/links";
import { accountResource } from "../public-queries/accounts";
import { licenseResource } from "../public-queries/licences";
import { orderResource } from "../public-queries/orders";
import { subscriptionResource } from "../public-queries/subscriptions";
import { tickets } from "../schema/tickets";
import type { WebhookEvent } from "./events";

/** The data of an event, and whose email or Discord user it holds. */
export type EventData<D = WebhookData> = { data: D; accountId: string | null; email: string | null };

/** The data when the event is first read; null if its row is gone, which leaves nothing to report. */
export const dataOf = async (ctx: Ctx, about: About): Promise<EventData | null> =>
  readers[about.event.type](ctx, about);

type About = { entry: Entry; event: WebhookEvent };
type Reader<D> = (ctx: Ctx, about: About) => Promise<EventData<D> | null>;

const order: Reader<WebhookData<"order.paid">> = async (ctx, { event }) => {
  const data = await orderResource(ctx, event.id);
  return data && { data, accountId: data.account, email: data.email };
};

const license: Reader<WebhookData<"license.issued">> = async (ctx, { event }) => {
  const data = await licenseResource(ctx, event.id);
  const cause = licenseCauses.find((one) => one === event.cause);
  if (!data || !cause) return null;
  return { data: { ...data, cause }, accountId: data.account, email: data.email };
};

const subscription: Reader<WebhookData<"subscription.started">> = async (ctx, { event }) => {
  const data = await subscriptionResource(ctx, event.id);
  return data && { data, accountId: data.account, email: data.email };
};

const device: Reader<WebhookData<"device.added">> = async (ctx, { entry, event: { id, cause } }) => {
  const known = deviceCauses.find((one) => one === cause);
  if (!known) return null;
  const owner = await accountResource(ctx, entry.accountId ?? entry.subject);
  return {
    data: { device: id, ...owner, cause: known },
    accountId: owner.account,
    email: owner.email,
  };
};

const account: Reader<WebhookData<"account.created">> = async (ctx, { event: { id } }) => {
  const data = await accountResource(ctx, id);
  return { data, accountId: id, email: data.email };
};

const discord: Reader<WebhookData<"discord.linked">> = async (ctx, { event: { id, type } }) => {
  const link = type === "discord.linked" ? await linkOf(ctx, id) : undefined;
  return { data: { account: id, discord: link?.discordUserId ?? null }, accountId: id, email: null };
};

const ticket: Reader<WebhookData<"ticket.opened">> = async (ctx, { entry, event: { id } }) => {
  const [now] = await ctx.store.db
    .select({ accountId: tickets.accountId })
    .from(tickets)
    .where(eq(tickets.id, id));
  return {
    data: { ticket: id, account: now ? now.accountId : entry.accountId },
    accountId: null,
    email: null,
  };
};

const release: Reader<WebhookData<"release.published">> = async (_, { entry: { detail } }) => {
  const { version, channel } = detail ?? {};
  if (typeof version !== "string" || typeof channel !== "string") return null;
  return { data: { version, channel }, accountId: null, email: null };
};

const test: Reader<WebhookData<"webhook.test">> = async (_, { event }) => ({
  data: { endpoint: event.id },
  accountId: null,
  email: null,
});

/** A type without a row, or with a reader of other fields, does not compile. */
const readers: { [T in WebhookType]: Reader<WebhookData<T>> } = {
  "order.paid": order,
  "order.refunded": order,
  "order.disputed": order,
  "order.dispute_closed": order,
  "license.issued": license,
  "license.redeemed": license,
  "license.changed": license,
  "license.ended": license,
  "subscription.started": subscription,
  "subscription.renewed": subscription,
  "subscription.changed": subscription,
  "subscription.past_due": subscription,
  "subscription.ending": subscription,
  "subscription.ended": subscription,
  "device.added": device,
  "device.removed": device,
  "account.created": account,
  "account.deleted": account,
  "discord.linked": discord,
  "discord.unlinked": discord,
  "ticket.opened": ticket,
  "ticket.closed": ticket,
  "release.published": release,
  "webhook.test": test,
};
