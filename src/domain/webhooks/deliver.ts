import { and, asc, eq, exists, inArray, isNotNull, lte, or, sql } from "drizzle-orm";
import { second } from "@/contract/vocabulary/time";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { failpoint } from "@/core/log/failpoints";
import { failureOf } from "@/core/log/failure";
import { othersTurn } from "@/core/base/others-turn";
import { preparedRead } from "@/core/database/prepared-read";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../schema/webhooks";
import { disableIfDue } from "./disable";
import { bodyOf } from "./forget";
import { isWaiting, outcomeWrites } from "./outcome";
import { webhookSecretContext } from "./sealing";
import { isSuccess, type WebhookSender } from "./sender";
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
/**
 * How long an outcome waits for others, to be flushed to disk with them: a flush holds up everybody for a millisecond. A
 * kill meanwhile repeats them all, with the same ids.
 */
const gatheredMilliseconds = 4;
/** Deliveries that are cancelled in a commit. */
const mostCancelled = 200;

type Endpoint = typeof webhookEndpoints.$inferSelect;

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
  const fills = new Map<string, Promise<number>>();
  const refills = new Map<string, Promise<void>>();
  /** Goes round, so that no failing endpoint is always the last. */
  let next = 0;
  let restUntil = 0;
  let gathering: Promise<void> | null = null;

  const begin = (endpoint: Endpoint, due: Due, stopping: AbortSignal) => {
    const { delivery } = due;
    const own = underWay.get(endpoint.id) ?? new Set();
    underWay.set(endpoint.id, own.add(delivery.id));
    const attempt = deliver(endpoint, due, stopping)
      .catch((error: unknown) => {
        restUntil = ctx.now().getTime() + restMilliseconds;
        ctx.log.warn("a webhook's outcome could not be stored", failureOf(error));
        return false;
      })
      .then((isDelivered) => {
        own.delete(delivery.id);
        // the next one of a healthy endpoint need not wait for the next run
        return isDelivered ? refill(endpoint.id, stopping) : undefined;
      })
      .catch((error: unknown) => ctx.log.warn("due webhooks could not be read", failureOf(error)))
      .finally(() => tries.delete(attempt));
    tries.add(attempt);
  };

  /** Resolves to whether the receiver took it. */
  const deliver = async (
    endpoint: Endpoint,
    { delivery, event }: Due,
    stopping: AbortSignal,
  ): Promise<boolean> => {
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
    await (gathering ??= Bun.sleep(gatheredMilliseconds).finally(() => (gathering = null)));
    await commit(ctx.store, outcomeWrites(ctx, { delivery, result, begunAt }));
    await disableIfDue(ctx, endpoint, result);
    const before = places.get(endpoint.id) ?? fewestAtOnce;
    places.set(endpoint.id, isSuccess(result) ? Math.min(before + 1, mostAtOnce) : fewestAtOnce);
    return isSuccess(result);
  };

  /** Fills the places of all tries that end in this turn by one read. */
  const refill = (id: string, stopping: AbortSignal): Promise<void> => {
    const known = refills.get(id);
    if (known) return known;
    const soon = othersTurn()
      .then(() => fills.get(id)?.catch(() => {}))
      .then(async () => {
        refills.delete(id);
        const endpoint = endpoints.get(id);
        if (endpoint && isOn(endpoint) && !stopping.aborted) await fill(endpoint, stopping, mostAtOnce);
      });
    refills.set(id, soon);
    return soon;
  };

  /**
   * Begins up to `most` due tries; resolves to how many. One call at a time for each endpoint: two would read the same
   * deliveries, and send one again that ends between the two.
   */
  const fill = (endpoint: Endpoint, stopping: AbortSignal, most: number): Promise<number> => {
    const before = fills.get(endpoint.id) ?? Promise.resolve();
    const begun = before.catch(() => {}).then(() => beginDue(endpoint, stopping, most));
    fills.set(endpoint.id, begun);
    return begun;
  };

  const beginDue = async (endpoint: Endpoint, stopping: AbortSignal, most: number): Promise<number> => {
    const own = [...(underWay.get(endpoint.id) ?? [])];
    const atOnce = places.get(endpoint.id) ?? fewestAtOnce;
    const free = Math.min(atOnce - own.length, most);
    if (free <= 0) return 0;
    const found = await dueOf(ctx, endpoint, { besides: own, most: free });
    for (const due of found) {
      begin(endpoint, due, stopping);
      await othersTurn();
    }
    return found.length;
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

const isOn = ({ disabledAt, removedAt }: Endpoint) => disabledAt === null && removedAt === null;

type Due = Awaited<ReturnType<typeof dueOf>>[number];

const dueOf = (
  ctx: Ctx,
  { id: endpoint }: Endpoint,
  { besides, most }: { besides: string[]; most: number },
) => firstDue(ctx.store).all({ endpoint, now: ctx.now().getTime(), besides: JSON.stringify(besides), most });

const firstDue = preparedRead((db) =>
  db
    .select({ delivery: webhookDeliveries, event: webhookEvents })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(
      and(
        eq(webhookDeliveries.endpointId, sql.placeholder("endpoint")),
        isWaiting,
        lte(webhookDeliveries.dueAt, sql.placeholder("now")),
        sql`${webhookDeliveries.id} NOT IN (SELECT value FROM json_each(${sql.placeholder("besides")}))`,
      ),
    )
    .orderBy(asc(webhookDeliveries.dueAt), asc(webhookDeliveries.id))
    .limit(sql.placeholder("most"))
    .prepare(),
);

function secretsOf(
  ctx: Ctx,
  { id, secretSealed, formerSecretSealed, formerSecretUntil }: Endpoint,
): string[] {
  const open = (sealed: string) => ctx.secrets.open(sealed, webhookSecretContext(id));
  const former = formerSecretSealed && formerSecretUntil && formerSecretUntil > ctx.now();
  return [open(secretSealed), ...(former ? [open(formerSecretSealed)] : [])];
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
