import { and, asc, desc, eq, gt, gte, inArray, lte, or, sql } from "drizzle-orm";
import type { WebhookType } from "@/contract/wire/webhooks";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { second } from "@/contract/vocabulary/time";
import { reasonOf } from "@/core/log/log";
import { takeTurn } from "@/core/limits/turns";
import { authorize, expectConfirmed } from "../permissions";
import { webhookDeliveries, webhookEvents } from "../schema/webhooks";
import { currentEndpoints, endpointOf, listensTo } from "./endpoints";
import { deliveriesFor, type PossibleDelivery, possibleDeliveriesOf } from "./enqueue";
import { expectEnabled } from "./change-endpoint";

export type Replayed = {
  events: number;
  /** New deliveries. */
  deliveries: number;
  /** Deliveries that were still waiting: they are sent once, and their next try is due now. */
  alreadyWaiting: number;
  /** Disabled endpoints that receive these events, left out. */
  disabled: string[];
};

/** Events and deliveries of a page: local writes are synchronous, and one keeps everybody waiting. */
const mostEvents = 250;
const mostDeliveries = 100;
/** After each commit, so that the shop's own writes get their turn. */
const pauseMilliseconds = 10;

/**
 * Sends a delivery again to its endpoint, or an event to every endpoint that receives its type, or to `endpoint` alone:
 * with the same id and body. What still waits is not sent twice, but now. Refuses with `webhook_event_unknown`,
 * `webhook_unknown`, `webhook_disabled` if the one endpoint is, and `copy` on a restored copy.
 */
export async function replay(
  ctx: Ctx,
  { id, endpoint }: { id: string; endpoint?: string | undefined },
  by: By,
): Promise<Replayed> {
  authorize(by, "webhook.replay");
  const delivery = await deliveryNamed(ctx, id);
  const event = await eventNamed(ctx, delivery?.eventId ?? id);
  const only = delivery?.endpointId ?? (await endpointOfTest(ctx, event, endpoint)) ?? endpoint;
  const detail = { delivery: delivery?.id ?? null, endpoint: only ?? null };
  const logged = record(ctx, { ...by, action: "webhook.replayed", subject: event.id, detail });
  return sendAgain(ctx, [[event]], { endpoint: only, ofAnyType: only !== undefined, by, logged });
}

type Since = {
  since: Date;
  endpoint?: string | undefined;
  /** Called with the number of events done so far. */
  progress?: (events: number) => void;
};

/**
 * Sends every event since then that the shop still has to every endpoint that receives its type, or to `endpoint`
 * alone, whenever that was added; tests are left out. In small commits: an interrupted one can be run again, and sends
 * again only what has been delivered meanwhile. Refuses like {@link replay}, and a time in the future with
 * `invalid_field`.
 */
export async function replaySince(ctx: Ctx, { since, endpoint, progress }: Since, by: By): Promise<Replayed> {
  authorize(by, "webhook.replay");
  if (since > ctx.now()) throw new Refusal("invalid_field", { field: "since", sentence: inTheFuture });
  const detail = { since: since.toISOString(), endpoint: endpoint ?? null };
  const logged = record(ctx, { ...by, action: "webhooks.replayed", subject: "shop", detail });
  return sendAgain(ctx, everyEventSince(ctx, since), { endpoint, by, logged, progress });
}

type ReplayOptions = {
  endpoint: string | undefined;
  ofAnyType?: boolean;
  by: By;
  logged: Write;
  progress?: ((events: number) => void) | undefined;
};

async function sendAgain(
  ctx: Ctx,
  pages: Iterable<Event[]> | AsyncIterable<Event[]>,
  { endpoint: only, ofAnyType = false, by, logged, progress = () => {} }: ReplayOptions,
): Promise<Replayed> {
  const target = only === undefined ? null : await endpointOf(ctx, only);
  expectConfirmed(ctx, by, "webhook.replay");
  await expectNoCopy(ctx);
  if (target) expectEnabled(target);
  const total = { events: 0, deliveries: 0, alreadyWaiting: 0 };
  const disabled = new Set<string>();
  const unlogged = [logged];
  for await (const events of pages) {
    // again for each page: one may have been changed, disabled or removed meanwhile
    const targets = (await currentEndpoints(ctx)).filter(({ id }) => only === undefined || id === only);
    const receiving = events.map((event) => ({
      event: event.id,
      endpoints: targets.filter((one) => ofAnyType || listensTo(one, event.type)),
    }));
    for (const { endpoints } of receiving)
      for (const { id, disabledAt } of endpoints) if (disabledAt) disabled.add(id);
    const pairs = receiving.flatMap(possibleDeliveriesOf);
    const deliveries = await send(ctx, pairs, unlogged);
    total.events += events.length;
    total.deliveries += deliveries;
    total.alreadyWaiting += pairs.length - deliveries;
    progress(total.events);
  }
  await commit(ctx.store, unlogged);
  return { ...total, disabled: [...disabled] };
}

const inTheFuture = "That time is in the future: no event has happened since then.";

async function deliveryNamed({ store: { db } }: Ctx, id: string) {
  if (!id.startsWith("dlv_")) return null;
  const [found] = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id));
  if (!found) throw new Refusal("webhook_event_unknown");
  return found;
}

type Event = { id: string; type: WebhookType };

async function eventNamed({ store: { db } }: Ctx, id: string): Promise<Event> {
  const [found] = await db
    .select({ id: webhookEvents.id, type: webhookEvents.type })
    .from(webhookEvents)
    .where(eq(webhookEvents.id, id));
  if (!found) throw new Refusal("webhook_event_unknown");
  return found;
}

/** A test is for one endpoint, and no other receives it. */
async function endpointOfTest(
  { store: { db } }: Ctx,
  event: Event,
  wanted: string | undefined,
): Promise<string | undefined> {
  if (event.type !== "webhook.test") return undefined;
  const [found] = await db
    .select({ endpointId: webhookDeliveries.endpointId })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.eventId, event.id))
    .limit(1);
  if (found && (wanted ?? found.endpointId) === found.endpointId) return found.endpointId;
  const sentence = "A test goes only to the endpoint that it was for.";
  throw new Refusal("webhook_event_unknown", found ? { sentence } : {});
}

/** Resolves to how many deliveries are new. The first commit has what is not logged yet. */
async function send(ctx: Ctx, pairs: PossibleDelivery[], unlogged: Write[]): Promise<number> {
  let deliveries = 0;
  for (let from = 0; from < pairs.length; from += mostDeliveries) {
    const page = pairs.slice(from, from + mostDeliveries);
    await commit(ctx.store, [...unlogged.splice(0), deliveriesFor(ctx, page)]);
    deliveries += await howManyOf(ctx, page);
    await Bun.sleep(pauseMilliseconds);
  }
  return deliveries;
}

async function howManyOf({ store: { db } }: Ctx, pairs: PossibleDelivery[]): Promise<number> {
  const ids = pairs.map(({ id }) => id);
  const rows = await db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(inArray(webhookDeliveries.id, ids));
  return rows.length;
}

const rowid = sql<number>`${webhookEvents}.rowid`;

/** Those that are there now, a page at a time, the oldest first; what is made meanwhile is sent anyway. */
async function* everyEventSince({ store: { db } }: Ctx, since: Date): AsyncGenerator<Event[]> {
  const [newest] = await db
    .select({ rowid })
    .from(webhookEvents)
    .where(gt(rowid, 0))
    .orderBy(desc(rowid))
    .limit(1);
  let after = { at: since, rowid: -1 };
  for (let more = newest !== undefined; more;) {
    const page = await db
      .select({ id: webhookEvents.id, type: webhookEvents.type, at: webhookEvents.at, rowid })
      .from(webhookEvents)
      .where(
        and(
          gte(webhookEvents.at, after.at),
          or(gt(webhookEvents.at, after.at), gt(rowid, after.rowid)),
          lte(rowid, newest?.rowid ?? 0),
        ),
      )
      .orderBy(asc(webhookEvents.at), asc(rowid))
      .limit(mostEvents);
    const events = page.filter(({ type }) => type !== "webhook.test");
    if (events.length > 0) yield events;
    after = page.at(-1) ?? after;
    more = page.length === mostEvents;
  }
}

/** The longest that a browser waits; the rest follows. */
const answerTimeout = 5 * second;

type Awhile = { since: Date; endpoint: string | undefined };

/**
 * {@link replaySince} for a caller that can't wait for hours of events: answers with what is done by then, and
 * continues. Refuses with `rate_limited` while an earlier one continues.
 */
export async function replaySinceForAWhile(
  ctx: Ctx,
  { since, endpoint }: Awhile,
  by: By,
): Promise<Replayed & { finished: boolean }> {
  authorize(by, "webhook.replay");
  const end = takeTurn(ctx, "replay");
  let events = 0;
  const whole = replaySince(ctx, { since, endpoint, progress: (done) => void (events = done) }, by).finally(
    end,
  );
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), answerTimeout);
  const done = await Promise.race([whole, late.promise]).finally(() => {
    clearTimeout(timer);
  });
  if (done) return { ...done, finished: true };
  whole.catch((error: unknown) => {
    ctx.log.error("a replay of webhooks ended early", { reason: reasonOf(error) });
  });
  return { events, deliveries: 0, alreadyWaiting: 0, disabled: [], finished: false };
}
