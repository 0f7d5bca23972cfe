import { eq, getTableColumns, inArray } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type AuditAction, auditEvents } from "@/contract/wire/audit-events";
import type { AuditRow } from "@/contract/wire/desk/rows";
import type { Entry } from "@/core/database/audit";
import type { Ctx } from "@/core/database/context";
import { maskKey } from "../licences/keys/keys";
import { keyOf } from "../licences/keys/issue";
import { allOffers } from "../offers/change";
import { accounts } from "../schema/accounts";
import { announcements } from "../schema/announcements";
import { devices } from "../schema/devices";
import { links } from "../schema/discord";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";
import { news, releases } from "../schema/releases";
import { serverKeys } from "../schema/server-keys";
import { savedReplies, tickets } from "../schema/tickets";
import { type ActorNames, namesOf } from "./actors";

/** What entries of the log are about, in words that people know. */
export type EntryNames = {
  actors: ActorNames;
  subjects: ReadonlyMap<string, string>;
  currencies: ReadonlyMap<string, string>;
  /** Of the computers and offers in details. */
  details: ReadonlyMap<string, string>;
};

/** The kind of an entry's subject; if only another release knows the action, the action's first word. */
export const kindOf = ({ action }: Entry): string =>
  action in auditEvents ? auditEvents[action as AuditAction].subject : (action.split(".")[0] ?? action);

export async function entryNames(ctx: Ctx, entries: Entry[]): Promise<EntryNames> {
  const subjectsOf = (...kinds: string[]) => [
    ...new Set(entries.filter((entry) => kinds.includes(kindOf(entry))).map(({ subject }) => subject)),
  ];
  const actors = await namesOf(ctx, [
    ...entries.flatMap(({ actor, accountId }) => (accountId === null ? [actor] : [actor, accountId])),
    ...subjectsOf("account", "mail"),
  ]);
  // an email is about an order, an account, or something without a name
  const orders = await ordersNamed(ctx, subjectsOf("payment", "subscription", "mail"));
  const offers = await offersNamed(ctx, entries);
  const named = await Promise.all([
    licencesNamed(ctx, subjectsOf("licence")),
    ...namedTables.map(([kind, id, name]) => rowsNamed(ctx, { id, name }, subjectsOf(kind))),
  ]);
  return {
    actors,
    subjects: new Map([
      ...actors,
      ...offers,
      ...orders.map(({ id, email, username }): [string, string] => [id, email || (username ?? "")]),
      ...named.flat(),
    ]),
    currencies: new Map(orders.map(({ id, currency }) => [id, currency])),
    details: new Map([...offers, ...(await rowsNamed(ctx, computers, computersIn(entries)))]),
  };
}

/** The names in `details` that an entry's reader needs. */
export const detailNames = ({ detail }: Entry, names: EntryNames): AuditRow["names"] =>
  Object.fromEntries(
    textsIn(detail).flatMap((id) => {
      const name = names.details.get(id);
      return name === undefined ? [] : [[id, name]];
    }),
  );

const namedTables: [kind: string, id: SQLiteColumn, name: SQLiteColumn][] = [
  ["discord user", links.discordUserId, links.displayName],
  ["ticket", tickets.id, tickets.number],
  ["release", releases.id, releases.version],
  ["changelog entry", news.id, news.title],
  ["announcement", announcements.id, announcements.subject],
  ["saved reply", savedReplies.id, savedReplies.name],
  ["server key", serverKeys.id, serverKeys.name],
];
const computers = { id: devices.id, name: devices.label };

async function rowsNamed(
  { store: { db } }: Ctx,
  { id, name }: { id: SQLiteColumn; name: SQLiteColumn },
  ids: string[],
): Promise<[string, string][]> {
  if (ids.length === 0) return [];
  const rows = await db.select({ id, name }).from(id.table).where(inArray(id, ids));
  return rows.filter(({ name: known }) => known !== null).map((row) => [String(row.id), String(row.name)]);
}

async function licencesNamed(ctx: Ctx, ids: string[]): Promise<[string, string][]> {
  if (ids.length === 0) return [];
  const rows = await ctx.store.db
    .select(getTableColumns(licences))
    .from(licences)
    .where(inArray(licences.id, ids));
  return rows.map((row) => [row.id, maskKey(keyOf(ctx, row))]);
}

/** A subscription has the id of its first payment. */
const ordersNamed = async ({ store: { db } }: Ctx, ids: string[]) =>
  ids.length === 0
    ? []
    : db
        .select({
          id: payments.id,
          email: payments.email,
          currency: payments.currency,
          username: accounts.username,
        })
        .from(payments)
        .leftJoin(accounts, eq(accounts.id, payments.accountId))
        .where(inArray(payments.id, ids));

async function offersNamed(ctx: Ctx, entries: Entry[]): Promise<[string, string][]> {
  if (!entries.some((entry) => withOffers.has(entry.action))) return [];
  return (await allOffers(ctx)).map(({ id, name }) => [id, name]);
}

const withOffers = new Set([
  "offer.added",
  "offer.changed",
  "offer.retired",
  "subscription.changed",
  "announcement.made",
]);

const computersIn = (entries: Entry[]): string[] => [
  ...new Set(
    entries
      .filter(({ action }) => /^device\.|^build\./.test(action))
      .flatMap(({ detail }) => textsIn(detail)),
  ),
];

/** The texts among an event's details. */
const textsIn = (detail: Entry["detail"]): string[] =>
  Object.values(detail ?? {})
    .flat()
    .filter((value) => typeof value === "string");
