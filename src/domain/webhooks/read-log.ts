import { createHash } from "node:crypto";
import { and, asc, desc, eq, gt, isNotNull, isNull, like, lt, notExists, sql } from "drizzle-orm";
import { addressKey } from "@/contract/addresses";
import type { WebhookType } from "@/contract/webhooks";
import type { Entry } from "@/core/audit";
import { mustHaveChanged, mustNotExist, type Write } from "@/core/commit";
import { commitIfFirst } from "@/core/conflict";
import { type Ctx, newId } from "@/core/context";
import { failpoint } from "@/core/failpoints";
import { factOf } from "@/core/key-values";
import { auditLog, keyValues } from "@/core/schema";
import { licencesOfPayment } from "../licences/sold";
import { accounts } from "../schema/accounts";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../schema/webhooks";
import { dataOf, type Told } from "./data";
import {
  type EventOfAction,
  eventOfAction,
  type Move,
  moveEvents,
  paymentEvents,
  type Settled,
  type WebhookEvent,
} from "./events";
import { webhookBodyContext } from "./sealing";

/** Entries that are looked at in one commit, and after how many rows of events and deliveries it ends. */
const mostEntries = 200;
const mostRows = 60;

const cursorName = "webhooks.read";
/** The number of the last entry that was read, and how many events of the one after it were. */
type Cursor = { sequence: number; events: number };

type Endpoint = typeof webhookEndpoints.$inferSelect;

/**
 * Makes webhooks of the audit log's newest entries: the body of each event, and a delivery to every endpoint that hears
 * of it, in the commit that advances the cursor. Resolves to whether there may be more. An endpoint hears of what
 * happened after it was added; while it is disabled, events are kept for a replay.
 */
export async function readLog(ctx: Ctx): Promise<boolean> {
  const endpoints = await ctx.store.db
    .select()
    .from(webhookEndpoints)
    .where(isNull(webhookEndpoints.removedAt));
  if (endpoints.length === 0) return false;
  const stored = await factOf(ctx, cursorName);
  const cursor = later(cursorIn(stored), endpoints);
  const entries = await ctx.store.db
    .select()
    .from(auditLog)
    .where(and(isNotNull(auditLog.sequence), gt(auditLog.sequence, cursor.sequence)))
    .orderBy(asc(auditLog.sequence))
    .limit(mostEntries);
  if (entries.length === 0) return false;
  const read = await readEntries(ctx, { entries, endpoints, cursor });
  if (read.writes.length > 0) failpoint("webhook.read");
  await commitIfFirst(ctx.store, [...read.writes, ...advance(ctx, stored, read.cursor)]);
  if (read.writes.length > 0) failpoint("webhook.stored");
  return read.cursor.events > 0 || read.entries < entries.length || entries.length === mostEntries;
}

/** An entry's number is at least its time, so those before the first endpoint are passed over. */
function later(cursor: Cursor, endpoints: Endpoint[]): Cursor {
  const since = Math.min(...endpoints.map(({ createdAt }) => createdAt.getTime())) - 1;
  return cursor.sequence >= since ? cursor : { sequence: since, events: 0 };
}

const cursorIn = (stored: string | null): Cursor =>
  stored === null ? { sequence: 0, events: 0 } : (JSON.parse(stored) as Cursor);

function advance({ store: { db } }: Ctx, before: string | null, cursor: Cursor): Write[] {
  const value = JSON.stringify(cursor);
  return [
    before === null
      ? db.insert(keyValues).values({ name: cursorName, value }).onConflictDoNothing()
      : db
          .update(keyValues)
          .set({ value })
          .where(and(eq(keyValues.name, cursorName), eq(keyValues.value, before))),
    mustHaveChanged("conflict"),
  ];
}

type Reading = { entries: Entry[]; endpoints: Endpoint[]; cursor: Cursor };

/** Reads entries until they make enough deliveries; the rest of an entry's events are left for the next commit. */
async function readEntries(ctx: Ctx, { entries, endpoints, cursor: start }: Reading) {
  const writes: Write[] = [];
  let cursor = start;
  let read = 0;
  let rows = 0;
  for (const entry of entries) {
    const events = await eventsOf(ctx, entry);
    for (const event of events.slice(cursor.events)) {
      if (rows >= mostRows) return { writes, cursor, entries: read };
      const listening = endpoints.filter((endpoint) => hears(endpoint, entry, event.type));
      if (listening.length > 0) {
        writes.push(...(await eventWrites(ctx, { entry, event, listening })));
        rows += 1 + listening.length;
        // local queries are synchronous: between two, requests are served
        await new Promise(setImmediate);
      }
      cursor = { ...cursor, events: cursor.events + 1 };
    }
    cursor = { sequence: entry.sequence ?? 0, events: 0 };
    read += 1;
  }
  return { writes, cursor, entries: read };
}

/** A test goes to the endpoint that it is for, whatever that listens to. */
function hears(endpoint: Endpoint, entry: Entry, type: WebhookType): boolean {
  if (type === "webhook.test") return endpoint.id === entry.subject;
  return entry.at >= endpoint.createdAt && (endpoint.types === null || endpoint.types.includes(type));
}

async function eventsOf(ctx: Ctx, entry: Entry): Promise<WebhookEvent[]> {
  const { action, subject, accountId, detail, at } = entry;
  if (action === "licence.ends_moved") return moveEvents((detail?.["moved"] ?? []) as Move[], at);
  const event = (eventOfAction as Partial<Record<string, EventOfAction>>)[action];
  if (event) return [{ ...event, id: event.type.startsWith("discord.") ? (accountId ?? subject) : subject }];
  const after = settledIn(entry);
  if (!after) return [];
  const before = await settledBefore(ctx, entry);
  const licences = (await licencesOfPayment(ctx, subject)).map(({ id }) => id);
  return paymentEvents(subject, { before, after, licences });
}

const settlements = ["processing", "succeeded", "failed", "expired", "refunded", "disputed"];

/** What the entry says that a settlement made of its payment; null where it is about something else. */
function settledIn({ action, detail }: Pick<Entry, "action" | "detail">): Settled | null {
  const state = action.startsWith("payment.") ? action.slice("payment.".length) : "";
  if (!settlements.includes(state)) return null;
  const { dispute, refunded } = detail ?? {};
  return {
    state,
    dispute: typeof dispute === "string" ? dispute : null,
    refunded: typeof refunded === "number" ? refunded : 0,
  };
}

/** The release before recorded no `before`: the entry before this one says it then. */
async function settledBefore(ctx: Ctx, { subject, sequence, detail }: Entry): Promise<Settled> {
  if (detail?.["before"]) return detail["before"] as Settled;
  const earlier = await ctx.store.db
    .select()
    .from(auditLog)
    .where(
      and(
        eq(auditLog.subject, subject),
        lt(auditLog.sequence, sequence ?? 0),
        like(auditLog.action, "payment.%"),
      ),
    )
    .orderBy(desc(auditLog.sequence));
  return (
    earlier.flatMap((entry) => settledIn(entry) ?? [])[0] ?? { state: "open", dispute: null, refunded: 0 }
  );
}

type Making = { entry: Entry; event: WebhookEvent; listening: Endpoint[] };

async function eventWrites(ctx: Ctx, { entry, event, listening }: Making): Promise<Write[]> {
  const told = await dataOf(ctx, { entry, event });
  if (!told) return [];
  const { db } = ctx.store;
  const id = eventId(entry, event);
  const sequence = entry.sequence ?? 0;
  const body = JSON.stringify({
    type: event.type,
    timestamp: entry.at.toISOString(),
    data: { ...told.data, sequence },
  });
  const now = ctx.now();
  const enabled = listening.filter(({ disabledAt }) => disabledAt === null);
  return [
    ...notErased(ctx, told),
    db.insert(webhookEvents).values({
      id,
      sequence,
      type: event.type,
      accountId: told.accountId,
      emailKey: told.email === null ? null : addressKey(told.email),
      at: entry.at,
      bodySealed: ctx.secrets.seal(body, webhookBodyContext(id)),
    }),
    ...(enabled.length === 0
      ? []
      : [
          db.insert(webhookDeliveries).values(
            enabled.map(({ id: endpointId }) => ({
              id: newDeliveryId(),
              eventId: id,
              endpointId,
              createdAt: now,
              dueAt: now,
            })),
          ),
        ]),
  ];
}

/** Without a full stop, which separates what is signed. The same entry makes the same id. */
const eventId = ({ id }: Entry, { type, id: row }: WebhookEvent) =>
  `evt_${createHash("sha256").update(`${id}:${type}:${row}`).digest("hex").slice(0, 32)}`;

export const newDeliveryId = () => `dlv_${newId()}`;

/** An account that was erased since its email or Discord user was read fails the commit, and they are read again. */
function notErased({ store: { db } }: Ctx, { data, email, accountId }: Told): Write[] {
  const isPersonal = email !== null || ("discord" in data && data.discord !== null);
  if (!isPersonal || accountId === null) return [];
  const account = db
    .select({ one: sql`1` })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  const gone = db
    .select({ one: sql`1` })
    .from(sql`(SELECT 1)`)
    .where(notExists(account));
  return [mustNotExist(gone, "conflict", {})];
}
