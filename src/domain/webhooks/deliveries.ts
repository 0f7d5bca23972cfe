import { and, desc, eq, getTableColumns, lt, type SQL } from "drizzle-orm";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { pageRows } from "@/core/database/pages";
import { Refusal } from "@/core/base/refusal";
import { authorize } from "../permissions";
import { type DeliveryState, webhookDeliveries, webhookEvents } from "../schema/webhooks";
import { endpointOf, type EndpointView, endpointView } from "./endpoints";
import { bodyOf } from "./forget";
import { isDeliveryWaiting } from "./outcome";
import { webhookAnswerContext } from "./sealing";

/** A delivery without what was sent and answered. */
export type DeliveryView = Omit<typeof webhookDeliveries.$inferSelect, "answerSealed"> & { type: string };

export type DeliveryFilter = {
  endpoint?: string | undefined;
  state?: DeliveryState | undefined;
  /** The `next` of the page before. */
  before?: string | undefined;
  most?: number | undefined;
};

/** Rows of a page that has a filter by state: no index has the states, as most change within a second. */
const mostRead = 250;

/**
 * Deliveries of the last 30 days, the newest first, and where the next page begins, or null after the last. With a
 * `state`, a page may have fewer rows than asked, even none, and a next one. Refuses with `webhook_unknown`.
 */
export async function deliveriesOf(
  ctx: Ctx,
  { endpoint, state, before, most = pageRows }: DeliveryFilter,
  actor: Actor,
): Promise<{ rows: DeliveryView[]; next: string | null }> {
  authorize(actor, "webhook.read");
  if (endpoint !== undefined) await endpointOf(ctx, endpoint);
  const limit = state === undefined ? most : mostRead;
  const page = await newestFirst(
    ctx,
    and(
      endpoint === undefined ? undefined : eq(webhookDeliveries.endpointId, endpoint),
      // ids are hexadecimal
      lt(webhookDeliveries.id, before ?? "dlv_g"),
    ),
    limit,
  );
  const rows = page.filter((row) => state === undefined || row.state === state).slice(0, most);
  const isCut = rows.length === most;
  const last = isCut ? rows.at(-1) : page.at(-1);
  return { rows, next: isCut || page.length === limit ? (last?.id ?? null) : null };
}

const { answerSealed: sealedAnswer, ...shown } = getTableColumns(webhookDeliveries);

async function newestFirst(
  { store: { db } }: Ctx,
  where: SQL | undefined,
  limit: number,
): Promise<DeliveryView[]> {
  const rows = await db
    .select({ delivery: shown, type: webhookEvents.type })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(where)
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit);
  return rows.map(({ delivery, type }) => ({ ...delivery, type }));
}

/**
 * A delivery with the body that was sent and the first kilobyte of the last answer, which only owners see; the answer is
 * null if there was none, or it was erased. Refuses with `webhook_event_unknown`.
 */
export async function deliveryWithBody(
  ctx: Ctx,
  id: string,
  actor: Actor,
): Promise<DeliveryView & { body: string; answer: string | null }> {
  authorize(actor, "webhook.read");
  const [found] = await ctx.store.db
    .select({ delivery: shown, answerSealed: sealedAnswer, event: webhookEvents })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(eq(webhookDeliveries.id, id));
  if (!found) throw new Refusal("webhook_event_unknown");
  const { delivery, answerSealed, event } = found;
  return {
    ...delivery,
    type: event.type,
    body: bodyOf(ctx, event),
    // a receiver may have repeated what was erased
    answer:
      answerSealed === null || event.mustEmpty
        ? null
        : ctx.secrets.open(answerSealed, webhookAnswerContext(id)),
  };
}

/** How many deliveries are counted: a million rows would keep everybody waiting. */
const maxCounted = 500;

export type EndpointDetails = EndpointView & {
  /** Of the newest deliveries, up to `counted`, how many are in each state. */
  recent: Record<DeliveryState, number> & { counted: number };
  /** All that wait, up to `most`. */
  waiting: number;
  mostWaitingCounted: number;
};

/** An endpoint and how its last deliveries went. Refuses with `webhook_unknown`. */
export async function endpointShown(ctx: Ctx, id: string, actor: Actor): Promise<EndpointDetails> {
  authorize(actor, "webhook.read");
  const endpoint = await endpointOf(ctx, id);
  const own = eq(webhookDeliveries.endpointId, id);
  const states = await ctx.store.db
    .select({ state: webhookDeliveries.state })
    .from(webhookDeliveries)
    .where(own)
    .orderBy(desc(webhookDeliveries.id))
    .limit(maxCounted);
  const waiting = await ctx.store.db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(own, isDeliveryWaiting))
    .limit(maxCounted);
  const recent = { waiting: 0, delivered: 0, failed: 0, cancelled: 0, counted: states.length };
  for (const { state } of states) recent[state] += 1;
  return { ...endpointView(ctx, endpoint), recent, waiting: waiting.length, mostWaitingCounted: maxCounted };
}
