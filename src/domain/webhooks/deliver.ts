import { and, asc, eq, exists, inArray, isNotNull, isNull, lte, notInArray, or, sql } from "drizzle-orm";
import { second } from "@/contract/time";
import type { Write } from "@/core/commit";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { failpoint } from "@/core/failpoints";
import { failureOf } from "@/core/failure";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../schema/webhooks";
import { disableIfDue } from "./disable";
import { bodyOf } from "./forget";
import { pauseAfter } from "./retry-plan";
import { webhookAnswerContext, webhookSecretContext } from "./sealing";
import { isSuccess, type SendResult, type WebhookSender } from "./sender";
import { signatureHeaders } from "./signature";

/**
 * Tries under way at a time to one endpoint: few at first and after a failure, and one more with each success. Fifty
 * that hang would otherwise be sent hundreds at once.
 */
const [fewestAtOnce, mostAtOnce] = [4, 16];
/**
 * Tries that a run begins of all endpoints whose last try failed, in turn. With thousands of deliveries waiting for
 * receivers that are away, each try fails in a moment, and more would take the processor from everybody else.
 */
const mostToFailing = 10;
/** After a try's outcome could not be stored: it is made again, and would reach the receiver at each run. */
const restMilliseconds = 5 * second;
/** Deliveries that are cancelled in a commit. */
const mostCancelled = 200;

type Endpoint = typeof webhookEndpoints.$inferSelect;
type Delivery = typeof webhookDeliveries.$inferSelect;

/**
 * Sends webhooks that are due. Each endpoint has its own places, so that one that is slow or dead delays no other, and
 * only what is being sent is in memory. A try that a crash interrupts is made again, with the same id and body.
 */
export function createDeliverer(
  ctx: Ctx,
  sender: WebhookSender,
  { observe }: { observe: (result: "delivered" | "failed") => void },
) {
  /** As the last run read them: a chain of tries must notice that its endpoint was changed or disabled. */
  let endpoints = new Map<string, Endpoint>();
  const underWay = new Map<string, Set<string>>();
  const places = new Map<string, number>();
  const tries = new Set<Promise<void>>();
  /** Goes round, so that no failing endpoint is always the last. */
  let next = 0;
  let restUntil = 0;

  const begin = (endpoint: Endpoint, delivery: Delivery, stopping: AbortSignal) => {
    const own = underWay.get(endpoint.id) ?? new Set();
    underWay.set(endpoint.id, own.add(delivery.id));
    const attempt = deliver(endpoint, delivery, stopping)
      .catch((error: unknown) => {
        restUntil = ctx.now().getTime() + restMilliseconds;
        ctx.log.warn("a webhook's outcome could not be stored", failureOf(error));
        return false;
      })
      .then(async (isDelivered) => {
        own.delete(delivery.id);
        // the next one of a healthy endpoint need not wait for the next run
        const now = endpoints.get(endpoint.id);
        if (isDelivered && now && isOn(now) && !stopping.aborted) await fill(now, stopping, 2);
      })
      .catch((error: unknown) => ctx.log.warn("due webhooks could not be read", failureOf(error)))
      .finally(() => tries.delete(attempt));
    tries.add(attempt);
  };

  /** Resolves to whether the receiver took it. */
  const deliver = async (endpoint: Endpoint, delivery: Delivery, stopping: AbortSignal): Promise<boolean> => {
    const [event] = await ctx.store.db
      .select()
      .from(webhookEvents)
      .where(eq(webhookEvents.id, delivery.eventId));
    if (!event) return false;
    const body = bodyOf(ctx, event);
    const begunAt = ctx.now();
    const result = await sender.send({
      url: endpoint.url,
      headers: {
        "content-type": "application/json",
        "user-agent": "Latchkey-Webhooks/1",
        ...signatureHeaders({ id: event.id, timestamp: begunAt, body, secrets: secretsOf(ctx, endpoint) }),
      },
      body,
      signal: stopping,
    });
    // broken off by the stop of the shop: it is made again
    if (result.kind !== "answered" && result.why === "stopped") return false;
    failpoint("webhook.sent");
    observe(isSuccess(result) ? "delivered" : "failed");
    await commit(ctx.store, outcomeWrites(ctx, { endpoint, delivery, result, begunAt }));
    await disableIfDue(ctx, endpoint, result);
    const before = places.get(endpoint.id) ?? fewestAtOnce;
    places.set(endpoint.id, isSuccess(result) ? Math.min(before + 1, mostAtOnce) : fewestAtOnce);
    return isSuccess(result);
  };

  /** Begins up to `most` due tries; resolves to how many. */
  const fill = async (endpoint: Endpoint, stopping: AbortSignal, most: number): Promise<number> => {
    const own = [...(underWay.get(endpoint.id) ?? [])];
    const atOnce = places.get(endpoint.id) ?? fewestAtOnce;
    const free = Math.min(atOnce - own.length, most);
    if (free <= 0) return 0;
    const due = await dueOf(ctx, endpoint, { besides: own, most: free });
    let begun = 0;
    for (const delivery of due) {
      // another call may have begun some meanwhile
      const now = underWay.get(endpoint.id);
      if (now?.has(delivery.id)) continue;
      if ((now?.size ?? 0) >= atOnce) break;
      begin(endpoint, delivery, stopping);
      begun += 1;
      await othersTurn();
    }
    return begun;
  };

  /** Tries those that fail, as often as a run may, from where the last run stopped. */
  const tryFailing = async (failing: Endpoint[], stopping: AbortSignal) => {
    const each = Math.max(1, Math.floor(mostToFailing / failing.length));
    let left = mostToFailing;
    for (let looked = 0; looked < failing.length && left > 0 && !stopping.aborted; looked += 1) {
      const endpoint = failing[next++ % failing.length];
      if (endpoint) left -= await fill(endpoint, stopping, Math.min(each, left));
    }
  };

  return {
    /** Begins the tries that are due, and cancels those of endpoints that are disabled or removed. */
    async run(stopping: AbortSignal): Promise<void> {
      const all = await ctx.store.db.select().from(webhookEndpoints);
      endpoints = new Map(all.map((endpoint) => [endpoint.id, endpoint]));
      if (ctx.now().getTime() < restUntil) return;
      for (const endpoint of all) {
        if (stopping.aborted) return;
        if (!isOn(endpoint)) await cancelSome(ctx, endpoint.id);
        else if (!endpoint.failingSince) await fill(endpoint, stopping, mostAtOnce);
        await othersTurn();
      }
      const failing = all.filter((endpoint) => isOn(endpoint) && endpoint.failingSince);
      await tryFailing(failing, stopping);
    },
    /** Resolves once no try is under way. */
    async idle(): Promise<void> {
      while (tries.size > 0) await Promise.all(tries);
    },
  };
}

/** Local queries are synchronous: between two, requests are served. */
const othersTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

const isOn = ({ disabledAt, removedAt }: Endpoint) => disabledAt === null && removedAt === null;

const dueOf = (ctx: Ctx, endpoint: Endpoint, { besides, most }: { besides: string[]; most: number }) =>
  ctx.store.db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.endpointId, endpoint.id),
        isWaiting,
        lte(webhookDeliveries.dueAt, ctx.now()),
        notInArray(webhookDeliveries.id, besides),
      ),
    )
    .orderBy(asc(webhookDeliveries.dueAt), asc(webhookDeliveries.id))
    .limit(most);

/** The condition of a partial index, so it holds no parameters. */
export const isWaiting = sql`state = 'waiting'`;

function secretsOf(
  ctx: Ctx,
  { id, secretSealed, formerSecretSealed, formerSecretUntil }: Endpoint,
): string[] {
  const open = (sealed: string) => ctx.secrets.open(sealed, webhookSecretContext(id));
  const former = formerSecretSealed && formerSecretUntil && formerSecretUntil > ctx.now();
  return [open(secretSealed), ...(former ? [open(formerSecretSealed)] : [])];
}

type Outcome = { endpoint: Endpoint; delivery: Delivery; result: SendResult; begunAt: Date };

function outcomeWrites(ctx: Ctx, { endpoint, delivery, result, begunAt }: Outcome): Write[] {
  const { db } = ctx.store;
  const now = ctx.now();
  const attempts = delivery.attempts + 1;
  const isDone = isSuccess(result);
  const retryAfter = result.kind === "answered" ? result.retryAfter : null;
  const pause = isDone ? null : pauseAfter(attempts, retryAfter, Math.random());
  return [
    db
      .update(webhookDeliveries)
      .set({
        state: isDone ? "delivered" : pause === null ? "failed" : "waiting",
        attempts,
        triedAt: begunAt,
        milliseconds: Math.round(result.milliseconds),
        dueAt: new Date(now.getTime() + (pause ?? 0)),
        ...seen(ctx, delivery, result),
      })
      // another process may have sent it too, or it was cancelled meanwhile
      .where(
        and(
          eq(webhookDeliveries.id, delivery.id),
          isWaiting,
          eq(webhookDeliveries.attempts, delivery.attempts),
        ),
      ),
    ...(isDone
      ? [
          db
            .update(webhookEndpoints)
            .set({ failingSince: null })
            .where(and(eq(webhookEndpoints.id, endpoint.id), isNotNull(webhookEndpoints.failingSince))),
        ]
      : [
          db
            .update(webhookEndpoints)
            .set({ failingSince: begunAt })
            .where(and(eq(webhookEndpoints.id, endpoint.id), isNull(webhookEndpoints.failingSince))),
        ]),
  ];
}

/** What the delivery shows of its last try. */
function seen(ctx: Ctx, { id }: Delivery, result: SendResult) {
  if (result.kind !== "answered") return { status: null, failure: result.why, answerSealed: null };
  const { status, body } = result;
  const failure = isSuccess(result) ? null : status >= 300 && status < 400 ? "redirect" : "status";
  return { status, failure, answerSealed: ctx.secrets.seal(body, webhookAnswerContext(id)) };
}

/** Cancels some of what waits for an endpoint; resolves to how many. */
export async function cancelSome(ctx: Ctx, endpointId: string): Promise<number> {
  const { db } = ctx.store;
  const waiting = await db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.endpointId, endpointId), isWaiting))
    .limit(mostCancelled);
  if (waiting.length === 0) return 0;
  const of = inArray(
    webhookDeliveries.id,
    waiting.map(({ id }) => id),
  );
  // it may have been enabled since this run began
  const off = db
    .select({ one: sql`1` })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.id, endpointId),
        or(isNotNull(webhookEndpoints.disabledAt), isNotNull(webhookEndpoints.removedAt)),
      ),
    );
  await commit(ctx.store, [
    db
      .update(webhookDeliveries)
      .set({ state: "cancelled" })
      .where(and(of, isWaiting, exists(off))),
  ]);
  return waiting.length;
}
