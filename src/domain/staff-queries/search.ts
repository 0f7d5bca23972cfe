import { desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { addressKey } from "@/contract/vocabulary/addresses";
import { maxFoundPerKind, type SearchResult } from "@/contract/wire/desk/search";
import { discordId } from "@/contract/wire/discord";
import { plainTyped } from "@/contract/vocabulary/typed-codes";
import type { Actor } from "@/core/base/actor";
import { type Ctx, readId } from "@/core/database/context";
import { startsWith } from "@/core/database/starts-with";
import { findLicence } from "../licences/keys/find";
import { authorize } from "../permissions";
import { accounts } from "../schema/accounts";
import { links } from "../schema/discord";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";
import { corrections } from "../schema/corrections";
import { refunds } from "../schema/refunds";
import { subscriptions } from "../schema/subscriptions";
import { tickets } from "../schema/tickets";
import { customerRows } from "./customers";
import { licenceList, licenceRows, licencesWith } from "./licences";
import { newestPlaces, pageOfPlaces } from "./newest";
import { paymentList, paymentRows, paymentsWith } from "./payments";
import { subscriptionList, subscriptionRows, subscriptionsWith } from "./subscriptions";
import { ticketList, ticketRows } from "./tickets";

type FoundIds = {
  customers: string[];
  payments: string[];
  licences: string[];
  subscriptions: string[];
  tickets: string[];
};

/**
 * Finds what the typed text names: at most five customers, payments, licences, subscriptions and tickets each. If it finds one
 * customer, it also finds what belongs to them.
 */
export async function searchDesk(ctx: Ctx, actor: Actor, typed: string): Promise<SearchResult> {
  authorize(actor, "desk.read");
  const found = await withBelongings(ctx, await searchByForm(ctx, typed.trim()));
  return {
    customers: await customerRows(ctx, firstFew(found.customers)),
    payments: await paymentRows(ctx, firstFew(found.payments)),
    licences: await licenceRows(ctx, firstFew(found.licences)),
    subscriptions: await subscriptionRows(ctx, firstFew(found.subscriptions)),
    tickets: await ticketRows(ctx, firstFew(found.tickets)),
  };
}

const firstFew = (ids: string[]) => [...new Set(ids)].slice(0, maxFoundPerKind);
const page = { after: null, most: maxFoundPerKind };
const nothing: FoundIds = { customers: [], payments: [], licences: [], subscriptions: [], tickets: [] };
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

/** Searches for what the text may be by its form, each by an index. */
async function searchByForm(ctx: Ctx, typed: string): Promise<FoundIds> {
  const id = readId(typed);
  if (id !== null) return byOurId(ctx, id);
  if (typed.includes("@") && !typed.startsWith("@")) return byEmail(ctx, typed);
  const plain = plainTyped(typed);
  if (discordId.test(plain)) return byDiscordUser(ctx, plain);
  if (/^sub_\w{1,250}$/.test(plain)) return bySubscription(ctx, plain);
  if (/^(cs|pi|in|re|pyr)_\w{1,250}$/.test(plain)) return byStripeId(ctx, plain);
  const licence = await findLicence(ctx, typed);
  // guests have no account to be found by
  const orders = typed === "" ? [] : await ordersByStartOfEmail(ctx, typed);
  return {
    customers: [
      ...(await byStartOf(ctx, accounts.usernameKey, typed.toLowerCase())),
      ...(await byStartOfEmail(ctx, typed)),
    ],
    payments: [...(licence?.paymentId ? [licence.paymentId] : []), ...orders],
    licences: licence ? [licence.id] : [],
    subscriptions: await begunBy(ctx, orders),
    tickets: await byNumber(ctx, plain),
  };
}

/** The ids of rows in which a column begins with this, in the order of the column. */
async function byStartOf({ store: { db } }: Ctx, column: SQLiteColumn, typed: string): Promise<string[]> {
  const rows = await db
    .select({ id: sql<string>`id` })
    .from(column.table)
    .where(startsWith(column, typed))
    .orderBy(column)
    .limit(maxFoundPerKind);
  return idsOf(rows);
}

const byStartOfEmail = (ctx: Ctx, typed: string) => byStartOf(ctx, accounts.emailKey, addressKey(typed));
const ordersByStartOfEmail = (ctx: Ctx, typed: string) =>
  byStartOf(ctx, payments.emailKey, addressKey(typed));

async function byNumber({ store: { db } }: Ctx, typed: string): Promise<string[]> {
  const [, number] = /^#?(\d{1,9})$/.exec(typed) ?? [];
  if (number === undefined) return [];
  return idsOf(
    await db
      .select({ id: tickets.id })
      .from(tickets)
      .where(eq(tickets.number, Number(number))),
  );
}

async function byOurId({ store: { db } }: Ctx, id: string): Promise<FoundIds> {
  const refunded = await db.select({ id: refunds.paymentId }).from(refunds).where(eq(refunds.id, id));
  const corrected = await db
    .select({ id: corrections.paymentId })
    .from(corrections)
    .where(eq(corrections.id, id));
  // ids of other things are left out when the rows are read
  return {
    customers: [id],
    payments: [id, ...idsOf(refunded), ...idsOf(corrected)],
    licences: [id],
    subscriptions: [id],
    tickets: [id],
  };
}

/** With its newest payments and its licence. */
async function bySubscription(ctx: Ctx, typed: string): Promise<FoundIds> {
  const { db } = ctx.store;
  const held = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(eq(subscriptions.stripeId, typed));
  const paid = await db
    .select({ id: payments.id })
    .from(payments)
    .where(eq(payments.subscription, typed))
    .orderBy(desc(payments.periodEndsAt))
    .limit(maxFoundPerKind);
  return {
    ...nothing,
    subscriptions: idsOf(held),
    payments: idsOf(paid),
    licences: await soldBy(ctx, idsOf(held)),
  };
}

async function byStripeId({ store: { db } }: Ctx, typed: string): Promise<FoundIds> {
  const { id, sessionId, intentId } = payments;
  const paid = await db
    .select({ id })
    .from(payments)
    .where(or(eq(sessionId, typed), eq(intentId, typed)))
    .limit(maxFoundPerKind);
  const refunded = await db
    .select({ id: refunds.paymentId })
    .from(refunds)
    .where(eq(refunds.stripeId, typed))
    .limit(maxFoundPerKind);
  return { ...nothing, payments: [...idsOf(paid), ...idsOf(refunded)] };
}

/**
 * The account with this address, and the newest orders that have it as the buyer's or the receiver's; if there are none,
 * accounts and orders whose address begins with it.
 */
async function byEmail(ctx: Ctx, typed: string): Promise<FoundIds> {
  const key = addressKey(typed);
  const { db } = ctx.store;
  const owners = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.emailKey, key));
  const orders = await newestPayments(ctx, [eq(payments.emailKey, key), eq(payments.giftKey, key)]);
  const exactly = { ...nothing, customers: idsOf(owners), payments: orders };
  const found = owners.length + orders.length > 0 ? exactly : await byHalfAnEmail(ctx, typed);
  return {
    ...found,
    licences: await soldBy(ctx, found.payments),
    subscriptions: await begunBy(ctx, found.payments),
  };
}

const byHalfAnEmail = async (ctx: Ctx, typed: string): Promise<FoundIds> => ({
  ...nothing,
  customers: await byStartOfEmail(ctx, typed),
  payments: await ordersByStartOfEmail(ctx, typed),
});

const newestPayments = async (ctx: Ctx, conditions: (SQL | undefined)[]): Promise<string[]> =>
  idsOf(await newestPlaces(ctx, paymentList, conditions, page));

async function soldBy({ store: { db } }: Ctx, paymentIds: string[]): Promise<string[]> {
  if (paymentIds.length === 0) return [];
  const rows = await db
    .select({ id: licences.id })
    .from(licences)
    .where(inArray(licences.paymentId, firstFew(paymentIds)))
    .limit(maxFoundPerKind);
  return idsOf(rows);
}

/** The subscriptions that payments began or renewed. */
async function begunBy(ctx: Ctx, paymentIds: string[]): Promise<string[]> {
  if (paymentIds.length === 0) return [];
  const { db } = ctx.store;
  const { id, stripeId } = subscriptions;
  const rows = await db
    .selectDistinct({ id })
    .from(payments)
    .innerJoin(subscriptions, eq(stripeId, payments.subscription))
    .where(inArray(payments.id, firstFew(paymentIds)));
  return idsOf(rows);
}

async function byDiscordUser(ctx: Ctx, discordUserId: string): Promise<FoundIds> {
  const { db } = ctx.store;
  const linked = await db
    .select({ id: links.accountId })
    .from(links)
    .where(eq(links.discordUserId, discordUserId));
  const opened = await newestPlaces(ctx, ticketList, [eq(tickets.discordUserId, discordUserId)], page);
  return { ...nothing, customers: idsOf(linked), tickets: idsOf(opened) };
}

/** With one customer found, their newest payments, licences, subscriptions and tickets as well. */
async function withBelongings(ctx: Ctx, found: FoundIds): Promise<FoundIds> {
  const [customer, ...others] = await existing(ctx, firstFew(found.customers));
  if (!customer || others.length > 0) return found;
  const paid = await pageOfPlaces(ctx, paymentList, await paymentsWith(ctx, { customer }), page);
  const held = await pageOfPlaces(ctx, licenceList, await licencesWith(ctx, { customer }), page);
  const subscribed = await pageOfPlaces(ctx, subscriptionList, subscriptionsWith(ctx, { customer }), page);
  const opened = await newestPlaces(ctx, ticketList, [eq(tickets.accountId, customer)], page);
  return {
    customers: [customer],
    payments: [...found.payments, ...idsOf(paid)],
    licences: [...found.licences, ...idsOf(held)],
    subscriptions: [...found.subscriptions, ...idsOf(subscribed)],
    tickets: [...found.tickets, ...idsOf(opened)],
  };
}

const existing = async ({ store: { db } }: Ctx, ids: string[]): Promise<string[]> =>
  ids.length === 0
    ? []
    : idsOf(await db.select({ id: accounts.id }).from(accounts).where(inArray(accounts.id, ids)));
