import { and, asc, eq, exists, inArray, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { second } from "@/contract/vocabulary/time";
import { commit, commitIfFirst, mustHaveChanged } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { failpoint } from "@/core/log/failpoints";
import { failureOf } from "@/core/log/failure";
import { yieldToEventLoop } from "@/core/base/yield";
import { preparedRead } from "@/core/database/prepared";
import { theShop } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../schema/webhooks";
import { notice } from "../notice";
import type { Endpoint } from "./endpoints";
import { bodyOf } from "./forget";
import { isDeliveryWaiting, outcomeWrites } from "./outcome";
import { webhookSecretContext } from "./sealing";
import { isSuccess, type SendResult, type WebhookSender } from "./sender";
import { signatureHeaders } from "./signature";
import { disabledAfter } from "./retry-plan";

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

/** What is under way to an endpoint, and how much at most. */
type Lane = {
  /** As the last run read it. */
  endpoint: Endpoint;
  underWay: Set<string>;
  bound: number;
  /** The last read of what is due. */
  filled: Promise<number>;
  isToBeFilled: boolean;
};

const newLane = (endpoint: Endpoint): Lane => ({
  endpoint,
  underWay: new Set(),
  bound: fewestAtOnce,
  filled: Promise.resolve(0),
  isToBeFilled: false,
});

/**
 * Sends webhooks that are due. Each endpoint has a lane of its own, so that one that is slow or dead delays no other, and
 * only what is being sent is in memory. A try that a crash interrupts is made again, with the same id and body.
 */
export function createDeliverer(
  ctx: Ctx,
  sender: WebhookSender,
  { observe }: { observe: (result: "delivered" | "failed") => void },
) {
  const lanes = new Map<string, Lane>();
  const tries = new Set<Promise<void>>();
  /** Goes round, so that no failing endpoint is always the last. */
  let next = 0;
  let restUntil = 0;
  let gathering: Promise<void> | null = null;

  const laneOf = (endpoint: Endpoint): Lane => {
    const lane = lanes.get(endpoint.id) ?? newLane(endpoint);
    lanes.set(endpoint.id, lane);
    return lane;
  };

  const begin = (lane: Lane, due: Due, stopping: AbortSignal) => {
    const { id } = due.delivery;
    lane.underWay.add(id);
    const attempt = deliver(lane, due, stopping)
      .catch((error: unknown) => {
        restUntil = ctx.now().getTime() + restMilliseconds;
        ctx.log.warn("a webhook's outcome could not be stored", failureOf(error));
        return false;
      })
      .then((isDelivered) => {
        lane.underWay.delete(id);
        // the next one of a healthy endpoint need not wait for the next run
        return isDelivered ? refill(lane, stopping) : undefined;
      })
      .catch((error: unknown) => ctx.log.warn("due webhooks could not be read", failureOf(error)))
      .finally(() => tries.delete(attempt));
    tries.add(attempt);
  };

  /** Resolves to whether the receiver took it. */
  const deliver = async (lane: Lane, { delivery, event }: Due, stopping: AbortSignal): Promise<boolean> => {
    const { endpoint } = lane;
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
    lane.bound = isSuccess(result) ? Math.min(lane.bound + 1, mostAtOnce) : fewestAtOnce;
    return isSuccess(result);
  };

  /** After all tries that end in this turn, by one read. */
  const refill = async (lane: Lane, stopping: AbortSignal): Promise<void> => {
    if (lane.isToBeFilled) return;
    lane.isToBeFilled = true;
    await yieldToEventLoop();
    await lane.filled.catch(() => {});
    lane.isToBeFilled = false;
    if (isOn(lane.endpoint) && !stopping.aborted) await fill(lane, stopping, mostAtOnce);
  };

  /** Begins up to `most` due tries, after an earlier call has: two would read the same. Resolves to how many. */
  const fill = (lane: Lane, stopping: AbortSignal, most: number): Promise<number> =>
    (lane.filled = lane.filled
      .catch(() => 0)
      .then(async () => {
        const free = Math.min(lane.bound - lane.underWay.size, most);
        const found = free > 0 ? await dueOf(ctx, lane, free) : [];
        for (const due of found) {
          begin(lane, due, stopping);
          await yieldToEventLoop();
        }
        return found.length;
      }));

  /** Tries those that fail, as often as a run may, from where the last run stopped. */
  const tryFailing = async (failing: Lane[], stopping: AbortSignal) => {
    const each = Math.max(1, Math.floor(mostToFailing / failing.length));
    let left = mostToFailing;
    for (let tried = 0; tried < failing.length && left > 0 && !stopping.aborted; tried += 1) {
      const lane = failing[next++ % failing.length];
      if (lane) left -= await fill(lane, stopping, Math.min(each, left));
    }
  };

  return {
    /** Begins the tries that are due, and cancels those of endpoints that are disabled or removed. */
    async run(stopping: AbortSignal): Promise<void> {
      const rows = await ctx.store.db.select().from(webhookEndpoints);
      // a chain of tries must notice that its endpoint was changed or disabled
      const all = rows.map((endpoint) => Object.assign(laneOf(endpoint), { endpoint }));
      if (ctx.now().getTime() < restUntil) return;
      const failing: Lane[] = [];
      for (const lane of all) {
        if (stopping.aborted) return;
        if (!isOn(lane.endpoint)) await cancelSome(ctx, lane.endpoint.id);
        else if (lane.endpoint.failingSince) failing.push(lane);
        else await fill(lane, stopping, mostAtOnce);
        await yieldToEventLoop();
      }
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

const dueOf = ({ store, now }: Ctx, { endpoint, underWay }: Lane, most: number) =>
  firstDue(store).all({
    endpoint: endpoint.id,
    now: now().getTime(),
    except: JSON.stringify([...underWay]),
    most,
  });

const firstDue = preparedRead((db) =>
  db
    .select({ delivery: webhookDeliveries, event: webhookEvents })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(
      and(
        eq(webhookDeliveries.endpointId, sql.placeholder("endpoint")),
        isDeliveryWaiting,
        lte(webhookDeliveries.dueAt, sql.placeholder("now")),
        sql`${webhookDeliveries.id} NOT IN (SELECT value FROM json_each(${sql.placeholder("except")}))`,
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
    .where(and(eq(webhookDeliveries.endpointId, endpointId), isDeliveryWaiting))
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
      .where(and(of, isDeliveryWaiting, exists(off))),
  ]);
  return waiting.length;
}

/**
 * Disables an endpoint that answered 410, or whose tries have failed for three days, and notifies staff; the next runs
 * cancel what waits. Decided by the stored row and once, however many tries fail together: staff may have enabled or
 * changed the endpoint while the try was under way, and then it stays enabled.
 */
async function disableIfDue(ctx: Ctx, endpoint: Endpoint, result: SendResult): Promise<void> {
  if (isSuccess(result)) return;
  const { id, url, version } = endpoint;
  const now = ctx.now();
  const isGone = result.kind === "answered" && result.status === 410;
  const since = new Date(now.getTime() - disabledAfter);
  if (!isGone && (endpoint.failingSince === null || endpoint.failingSince > since)) return;
  const why = isGone ? "its receiver answered 410 Gone" : failureSentence(result);
  const sentence = `The webhook endpoint ${new URL(url).origin} (${id}) is disabled: ${why}. Events are kept for 30 days: see shop webhooks enable, and replay.`;
  await commitIfFirst(ctx.store, [
    ctx.store.db
      .update(webhookEndpoints)
      .set({ disabledAt: now, disabledWhy: why })
      .where(
        and(
          eq(webhookEndpoints.id, id),
          eq(webhookEndpoints.version, version),
          isNull(webhookEndpoints.disabledAt),
          isGone ? undefined : lte(webhookEndpoints.failingSince, since),
        ),
      ),
    mustHaveChanged("conflict"),
    ...notice(ctx, `webhook:${id}`, { kind: "trouble", sentence }),
    record(ctx, { actor: theShop, action: "webhook.disabled", subject: id, detail: { why } }),
  ]);
}

function failureSentence(result: SendResult): string {
  const last = result.kind === "answered" ? `status ${result.status}` : `${result.why}: ${result.detail}`;
  return `every try has failed for three days, the last with ${last}`;
}
