import { desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { addressKey } from "@/contract/vocabulary/addresses";
import { maxFoundPerKind, type SearchResult } from "@/contract/wire/desk/search";
import { discordId } from "@/contract/wire/discord";
import { plainTyped } from "@/contract/vocabulary/typed-codes";
import type { Actor } from "@/core/base/actor";
import { type Ctx, readId } from "@/core/database/context";
import { startsWith } from "@/core/database/starts-with";
import { licenceOfKey, typedTail } from "../licences/keys/find";
import { keyTails } from "../licences/keys/keys";
import { authorize } from "../permissions";
import { accounts } from "../schema/accounts";
import { linkedNameKey, links } from "../schema/discord";
import { licences } from "../schema/licences";
import { disputes, stripeRefunds } from "../schema/money-back";
import { payments } from "../schema/payments";
import { corrections } from "../schema/corrections";
import { refunds } from "../schema/refunds";
import { subscriptions } from "../schema/subscriptions";
import { memberNameKey, tickets } from "../schema/tickets";
import { customerList, customerRows } from "./customers";
import { licenceList, licenceRows, licencesWith } from "./licences";
import { inOrderOfIds, newest, newestPlaces, pageOfPlaces } from "./newest";
import { paymentList, paymentRows, paymentsWith } from "./payments";
import { subscriptionList, subscriptionRows, subscriptionsWith } from "./subscriptions";
import { ticketList, ticketRows } from "./tickets";

const kinds = ["customers", "payments", "licences", "subscriptions", "tickets"] as const;
type Found = Record<(typeof kinds)[number], string[]> & Pick<SearchResult, "why">;

/**
 * Finds what the typed text may name: at most five customers, payments, licences, subscriptions and tickets each, what it
 * names exactly before what begins with it, and the newest first. If it finds one customer, it also finds what belongs to them.
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
    why: found.why,
  };
}

const firstFew = (ids: string[]) => [...new Set(ids)].slice(0, maxFoundPerKind);
const page = { after: null, most: maxFoundPerKind };
const nothing: Found = {
  customers: [],
  payments: [],
  licences: [],
  subscriptions: [],
  tickets: [],
  why: {},
};
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
const because = (ids: string[], by: Found["why"][string]["by"], text: string): Found["why"] =>
  Object.fromEntries(ids.map((id) => [id, { by, text }]));

/** Searches for what the text may be by its form, each by an index. */
async function searchByForm(ctx: Ctx, typed: string): Promise<Found> {
  const id = readId(typed);
  if (id !== null) return byOurId(ctx, id);
  const plain = plainTyped(typed);
  const member = plain.replace(/^<@!?(\d+)>$/, "$1");
  if (discordId.test(member)) return byDiscordUser(ctx, member);
  if (typed.includes("@") && !typed.startsWith("@")) return byEmail(ctx, typed);
  if (/^(cs|pi|in|ch|py|re|pyr|dp|du|sub|cus)_\w{1,250}$/.test(plain)) return byStripeId(ctx, plain);
  const name = typed.replace(/^@/, "");
  if (name === "") return nothing;
  return merged([
    await byName(ctx, name),
    await byDiscordName(ctx, name),
    await byDomain(ctx, name),
    await byKey(ctx, typed),
    await byCard(ctx, plain),
    await byNumber(ctx, plain),
    await byStartOfEmail(ctx, typed),
  ]);
}

/** A row that one of these finds by what it shows needs no reason of another's. */
function merged(all: Found[]): Found {
  const plainly = new Set(
    all.flatMap((one) => kinds.flatMap((kind) => one[kind]).filter((id) => !one.why[id])),
  );
  const why = all.flatMap((one) => Object.entries(one.why)).filter(([id]) => !plainly.has(id));
  const ids = kinds.map((kind) => [kind, all.flatMap((one) => one[kind])]);
  return { ...nothing, ...Object.fromEntries(ids), why: Object.fromEntries(why) };
}

/**
 * The ids of rows in which a text begins with this, the text itself first, then the newest. Of the same text the newest
 * rows are read, where its index has their times.
 */
async function byStartOf(
  { store: { db } }: Ctx,
  table: SQLiteTable,
  { text, at }: { text: SQLiteColumn | SQL; at?: SQLiteColumn },
  typed: string,
): Promise<string[]> {
  const rows = await db
    .select({ id: sql<string>`id`, text: sql<string>`${text}` })
    .from(table)
    .where(startsWith(text, typed))
    .orderBy(text, ...(at ? [desc(at)] : []))
    .limit(maxFoundPerKind);
  const isTyped = (row: { text: string }) => Number(row.text === typed);
  return idsOf(rows.toSorted((one, other) => isTyped(other) - isTyped(one) || (other.id < one.id ? -1 : 1)));
}

const byName = async (ctx: Ctx, name: string): Promise<Found> => ({
  ...nothing,
  customers: await byStartOf(ctx, accounts, { text: accounts.usernameKey }, name.toLowerCase()),
});

/** Also members without an account, by their tickets. */
async function byDiscordName(ctx: Ctx, name: string): Promise<Found> {
  const typed = name.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
  const linked = await ctx.store.db
    .select({ id: links.accountId, name: sql<string>`${links.displayName}` })
    .from(links)
    .where(startsWith(linkedNameKey, typed))
    .orderBy(linkedNameKey)
    .limit(maxFoundPerKind);
  return {
    ...nothing,
    customers: idsOf(linked),
    tickets: await byStartOf(ctx, tickets, { text: memberNameKey, at: tickets.openedAt }, typed),
    why: Object.fromEntries(linked.map(({ id, name: text }) => [id, { by: "discord", text }])),
  };
}

/** Customers, and orders of anybody, whose address is at this domain. */
async function byDomain(ctx: Ctx, typed: string): Promise<Found> {
  if (!/^[^\s@]+\.[^\s@]+$/.test(typed)) return nothing;
  const domain = addressKey(`@${typed}`).slice(1);
  return {
    ...nothing,
    customers: idsOf(await newestPlaces(ctx, customerList, [eq(accounts.emailDomain, domain)], page)),
    payments: await newestPayments(ctx, eq(payments.emailDomain, domain)),
  };
}

/** A licence by its key, or the newest by the last group of theirs, and the payments that sold them. */
async function byKey(ctx: Ctx, typed: string): Promise<Found> {
  const whole = await licenceOfKey(ctx, typed);
  const tail = whole ? undefined : typedTail(typed);
  const tails = tail === undefined ? [] : keyTails(ctx, tail).map((hash) => eq(licences.keyTail, hash));
  const found = whole ? [whole.id] : idsOf(await newestPlaces(ctx, licenceList, tails, page));
  const paid = await payingFor(ctx, found);
  return { ...nothing, licences: found, payments: paid, why: tail ? because(paid, "key", tail) : {} };
}

async function payingFor({ store: { db } }: Ctx, licenceIds: string[]): Promise<string[]> {
  if (licenceIds.length === 0) return [];
  const { id, paymentId } = licences;
  const rows = await db.select({ id, paymentId }).from(licences).where(inArray(id, licenceIds));
  return inOrderOfIds(licenceIds, rows).flatMap((row) => row.paymentId ?? []);
}

/** Of the card's number, the last four alone or after what stands for the others. */
async function byCard(ctx: Ctx, typed: string): Promise<Found> {
  const [, digits] = /^[^\p{L}\p{N}#]*(\d{4})$/u.exec(typed) ?? [];
  if (digits === undefined) return nothing;
  const paid = await newestPayments(ctx, eq(payments.cardLast4, digits));
  const charged = idsOf(
    await newestPlaces(ctx, subscriptionList, [eq(subscriptions.cardLast4, digits)], page),
  );
  return {
    ...nothing,
    payments: paid,
    subscriptions: charged,
    why: because([...paid, ...charged], "card", digits),
  };
}

async function byNumber({ store: { db } }: Ctx, typed: string): Promise<Found> {
  const [, number] = /^(?:#|ticket[\s#-]*)?(\d{1,9})$/i.exec(typed) ?? [];
  if (number === undefined) return nothing;
  const rows = await db
    .select({ id: tickets.id })
    .from(tickets)
    .where(eq(tickets.number, Number(number)));
  return { ...nothing, tickets: idsOf(rows) };
}

/** Customers and, since guests have no account to be found by, orders. */
async function byStartOfEmail(ctx: Ctx, typed: string): Promise<Found> {
  const key = addressKey(typed);
  const orders = await byStartOf(ctx, payments, { text: payments.emailKey, at: payments.createdAt }, key);
  return {
    ...nothing,
    customers: await byStartOf(ctx, accounts, { text: accounts.emailKey }, key),
    payments: orders,
    subscriptions: await begunBy(ctx, orders),
  };
}

async function byOurId({ store: { db } }: Ctx, id: string): Promise<Found> {
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
    why: {},
  };
}

/**
 * What Stripe's id names: a session, payment, charge or invoice, a refund or dispute, a subscription or customer; with
 * subscriptions, their newest payments and licences.
 */
async function byStripeId(ctx: Ctx, typed: string): Promise<Found> {
  const { db } = ctx.store;
  const { id, sessionId, intentId, chargeId } = payments;
  const paid = await db
    .select({ id })
    .from(payments)
    .where(or(eq(sessionId, typed), eq(intentId, typed), eq(chargeId, typed)))
    .limit(maxFoundPerKind);
  const [asked, made, disputed] = [
    await db.select({ id: refunds.paymentId }).from(refunds).where(eq(refunds.stripeId, typed)),
    await db.select({ id: stripeRefunds.paymentId }).from(stripeRefunds).where(eq(stripeRefunds.id, typed)),
    await db.select({ id: disputes.paymentId }).from(disputes).where(eq(disputes.id, typed)),
  ];
  const { stripeId, customerId, startedAt } = subscriptions;
  const held = await db
    .select({ id: subscriptions.id, stripeId })
    .from(subscriptions)
    .where(or(eq(stripeId, typed), eq(customerId, typed)))
    .orderBy(desc(startedAt))
    .limit(maxFoundPerKind);
  const named = new Set([typed, ...held.map((one) => one.stripeId)]);
  const renewals = await Promise.all([...named].map((one) => paidFor(ctx, one)));
  return {
    ...nothing,
    payments: idsOf([...paid, ...asked, ...made, ...disputed, ...renewals.flat()]),
    licences: await soldBy(ctx, idsOf(held)),
    subscriptions: idsOf(held),
  };
}

const paidFor = ({ store: { db } }: Ctx, subscription: string) =>
  db
    .select({ id: payments.id })
    .from(payments)
    .where(eq(payments.subscription, subscription))
    .orderBy(desc(payments.periodEndsAt))
    .limit(maxFoundPerKind);

/**
 * The account with this address, and the newest orders that have it as the buyer's or the receiver's; if there are none,
 * accounts and orders whose address begins with it.
 */
async function byEmail(ctx: Ctx, typed: string): Promise<Found> {
  const key = addressKey(typed);
  const { db } = ctx.store;
  const owners = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.emailKey, key));
  const bought = await newestPlaces(ctx, paymentList, [eq(payments.emailKey, key)], page);
  const received = await newestPlaces(ctx, paymentList, [eq(payments.giftKey, key)], page);
  const orders = idsOf(newest([...bought, ...received], maxFoundPerKind));
  const given = idsOf(received).filter((id) => !idsOf(bought).includes(id));
  const why = because(given, "receiver", typed);
  const exactly = { ...nothing, customers: idsOf(owners), payments: orders, why };
  const found = owners.length + orders.length > 0 ? exactly : await byStartOfEmail(ctx, typed);
  return {
    ...found,
    licences: await soldBy(ctx, found.payments),
    subscriptions: await begunBy(ctx, found.payments),
  };
}

const newestPayments = async (ctx: Ctx, condition: SQL): Promise<string[]> =>
  idsOf(await newestPlaces(ctx, paymentList, [condition], page));

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

async function byDiscordUser(ctx: Ctx, discordUserId: string): Promise<Found> {
  const { db } = ctx.store;
  const linked = await db
    .select({ id: links.accountId })
    .from(links)
    .where(eq(links.discordUserId, discordUserId));
  const opened = await newestPlaces(ctx, ticketList, [eq(tickets.discordUserId, discordUserId)], page);
  const why = because([...idsOf(linked), ...idsOf(opened)], "discord", discordUserId);
  return { ...nothing, customers: idsOf(linked), tickets: idsOf(opened), why };
}

/** With one customer found, their newest payments, licences, subscriptions and tickets as well. */
async function withBelongings(ctx: Ctx, found: Found): Promise<Found> {
  const [customer, ...others] = await existing(ctx, firstFew(found.customers));
  if (!customer || others.length > 0) return found;
  const paid = await pageOfPlaces(ctx, paymentList, await paymentsWith(ctx, { customer }), page);
  const held = await pageOfPlaces(ctx, licenceList, await licencesWith(ctx, { customer }), page);
  const subscribed = await pageOfPlaces(ctx, subscriptionList, subscriptionsWith(ctx, { customer }), page);
  const opened = await newestPlaces(ctx, ticketList, [eq(tickets.accountId, customer)], page);
  return {
    ...found,
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
