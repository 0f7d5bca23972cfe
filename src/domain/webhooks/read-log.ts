import { createHash } from "node:crypto";
import { and, asc, eq, gt, isNotNull, notExists, sql } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import type { WebhookType } from "@/contract/wire/webhooks";
import type { Entry } from "@/core/database/audit";
import { commitIfFirst, mustNotExist, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { failpoint } from "@/core/log/failpoints";
import { factOf, replaceFact } from "@/core/database/key-values";
import { notice } from "../notice";
import { auditLog } from "@/core/database/schema";
import { yieldToEventLoop } from "@/core/base/yield";
import { accounts } from "../schema/accounts";
import { webhookEvents } from "../schema/webhooks";
import { dataOf, type EventData } from "./data";
import { currentEndpoints, type Endpoint, listensTo } from "./endpoints";
import { deliveriesFor, possibleDeliveriesOf } from "./enqueue";
import type { WebhookEvent } from "./events";
import { eventsOf, parseEntry, type StoredEntry, storedEntry } from "./events-of-entry";
import { webhookBodyContext } from "./sealing";

/** The most entries read in one commit, and the rows of events and deliveries after which it ends. */
const mostEntries = 200;
const mostRows = 60;

const cursorName = "webhooks.read";
/** The number of the last entry that was read, and how many events of the one after it were. */
type Cursor = { sequence: number; events: number };

/**
 * Makes webhooks of the audit log's newest entries: the body of each event, and a delivery to every endpoint that
 * listens to it, in the commit that advances the cursor. Resolves to whether there may be more. An endpoint receives what
 * happened after it was added; while it is disabled, events are kept for a replay. Leaves out an entry that can't be
 * read, and notifies staff.
 */
export async function readLog(ctx: Ctx): Promise<boolean> {
  const endpoints = await currentEndpoints(ctx);
  if (endpoints.length === 0) return false;
  const stored = await factOf(ctx, cursorName);
  const cursor = skipOldEntries(cursorIn(stored), endpoints);
  const entries = await ctx.store.db
    .select(storedEntry)
    .from(auditLog)
    .where(and(isNotNull(auditLog.sequence), gt(auditLog.sequence, cursor.sequence)))
    .orderBy(asc(auditLog.sequence))
    .limit(mostEntries);
  if (entries.length === 0) return false;
  const read = await readEntries(ctx, { entries, endpoints, cursor });
  if (read.writes.length > 0) failpoint("webhook.read");
  await commitIfFirst(ctx.store, [
    ...read.writes,
    ...unreadableNotice(ctx, read.unreadable),
    ...replaceFact(ctx, cursorName, { before: stored, after: JSON.stringify(read.cursor) }),
  ]);
  if (read.writes.length > 0) failpoint("webhook.stored");
  return read.cursor.events > 0 || read.entries < entries.length || entries.length === mostEntries;
}

/** An entry's number is at least its time, so those before the first endpoint are passed over. */
function skipOldEntries(cursor: Cursor, endpoints: Endpoint[]): Cursor {
  const since = Math.min(...endpoints.map(({ createdAt }) => createdAt.getTime())) - 1;
  return cursor.sequence >= since ? cursor : { sequence: since, events: 0 };
}

const cursorIn = (stored: string | null): Cursor =>
  stored === null ? { sequence: 0, events: 0 } : (JSON.parse(stored) as Cursor);

type ReadOptions = { entries: StoredEntry[]; endpoints: Endpoint[]; cursor: Cursor };

/** Reads entries until they make enough deliveries; the rest of an entry's events are left for the next commit. */
async function readEntries(ctx: Ctx, { entries, endpoints, cursor: start }: ReadOptions) {
  const writes: Write[] = [];
  const unreadable: StoredEntry[] = [];
  let cursor = start;
  let read = 0;
  let rows = 0;
  for (const stored of entries) {
    const entry = parseEntry(stored);
    if (!entry) unreadable.push(stored);
    const events = entry ? (await eventsOf(ctx, entry)).map((event) => ({ entry, event })) : [];
    for (const { entry, event } of events.slice(cursor.events)) {
      if (rows >= mostRows) return { writes, unreadable, cursor, entries: read };
      const listening = endpoints.filter((endpoint) => receives(endpoint, entry, event.type));
      if (listening.length > 0) {
        writes.push(...(await eventWrites(ctx, { entry, event, listening })));
        rows += 1 + listening.length;
        await yieldToEventLoop();
      }
      cursor = { ...cursor, events: cursor.events + 1 };
    }
    cursor = { sequence: stored.sequence ?? 0, events: 0 };
    read += 1;
  }
  return { writes, unreadable, cursor, entries: read };
}

/** A test goes to the endpoint that it is for, whatever that listens to. */
function receives(endpoint: Endpoint, entry: Entry, type: WebhookType): boolean {
  if (type === "webhook.test") return endpoint.id === entry.subject;
  return entry.at >= endpoint.createdAt && listensTo(endpoint, type);
}

function unreadableNotice(ctx: Ctx, [first, ...more]: StoredEntry[]): Write[] {
  if (!first) return [];
  const others = more.length > 0 ? ` and ${more.length} more` : "";
  const sentence = `An entry of the audit log can't be read, so no webhook was made of it (${first.id}, ${first.action})${others}.`;
  ctx.log.warn("an entry of the audit log can't be read", { name: first.id, kind: first.action });
  return notice(ctx, "webhooks:unreadable", { kind: "trouble", sentence });
}

type EventContext = { entry: Entry; event: WebhookEvent; listening: Endpoint[] };

async function eventWrites(ctx: Ctx, { entry, event, listening }: EventContext): Promise<Write[]> {
  const found = await dataOf(ctx, { entry, event });
  if (!found) return [];
  const { db } = ctx.store;
  const id = eventId(entry, event);
  const sequence = entry.sequence ?? 0;
  const body = JSON.stringify({
    type: event.type,
    timestamp: entry.at.toISOString(),
    data: { ...found.data, sequence },
  });
  return [
    ...notErased(ctx, found),
    db.insert(webhookEvents).values({
      id,
      sequence,
      type: event.type,
      accountId: found.accountId,
      emailKey: found.email === null ? null : addressKey(found.email),
      at: entry.at,
      bodySealed: ctx.secrets.seal(body, webhookBodyContext(id)),
    }),
    deliveriesFor(ctx, possibleDeliveriesOf({ event: id, endpoints: listening })),
  ];
}

/** Without a full stop, which separates what is signed. The same entry makes the same id. */
const eventId = ({ id }: Entry, { type, id: row }: WebhookEvent) =>
  `evt_${createHash("sha256").update(`${id}:${type}:${row}`).digest("hex").slice(0, 32)}`;

/** An account that was erased since its email or Discord user was read fails the commit, and they are read again. */
function notErased({ store: { db } }: Ctx, { data, email, accountId }: EventData): Write[] {
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
