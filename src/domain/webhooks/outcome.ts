import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { placeholderFor, preparedWrite } from "@/core/database/prepared";
import { webhookDeliveries, webhookEndpoints } from "../schema/webhooks";
import { pauseAfter } from "./retry-plan";
import { webhookAnswerContext } from "./sealing";
import { isSuccess, type SendResult } from "./sender";

type Delivery = typeof webhookDeliveries.$inferSelect;
type Outcome = { delivery: Delivery; result: SendResult; begunAt: Date };

/** The condition of a partial index, so it holds no parameters. */
export const isDeliveryWaiting = sql`state = 'waiting'`;

/** The writes that record what became of a try; nothing if another process did, or the delivery was cancelled. */
export function outcomeWrites({ store, secrets, now }: Ctx, { delivery, result, begunAt }: Outcome): Write[] {
  const { id, endpointId } = delivery;
  const attempts = delivery.attempts + 1;
  const isDone = isSuccess(result);
  const retryAfter = result.kind === "answered" ? result.retryAfter : null;
  const pause = isDone ? null : pauseAfter(attempts, retryAfter, Math.random());
  const outcome = record(store, {
    id,
    before: delivery.attempts,
    state: isDone ? "delivered" : pause === null ? "failed" : "waiting",
    attempts,
    triedAt: begunAt,
    milliseconds: Math.round(result.milliseconds),
    dueAt: new Date(now().getTime() + (pause ?? 0)),
    ...shownOf(result),
    answerSealed: result.kind === "answered" ? secrets.seal(result.body, webhookAnswerContext(id)) : null,
  });
  return [outcome, isDone ? works(store, { endpointId }) : fails(store, { endpointId, begunAt })];
}

/** What the delivery shows of its last try. */
function shownOf(result: SendResult): Pick<Delivery, "status" | "failure"> {
  if (result.kind !== "answered") return { status: null, failure: result.why };
  const { status } = result;
  const failure = isSuccess(result) ? null : status >= 300 && status < 400 ? "redirect" : "status";
  return { status, failure };
}

const outcomeColumns = [
  "state",
  "attempts",
  "triedAt",
  "milliseconds",
  "dueAt",
  "status",
  "failure",
  "answerSealed",
] as const;

const record = preparedWrite((db) =>
  db
    .update(webhookDeliveries)
    .set(
      Object.fromEntries(outcomeColumns.map((name) => [name, placeholderFor(webhookDeliveries[name], name)])),
    )
    .where(
      and(
        eq(webhookDeliveries.id, sql.placeholder("id")),
        isDeliveryWaiting,
        eq(webhookDeliveries.attempts, sql.placeholder("before")),
      ),
    ),
);

const isTheEndpoint = eq(webhookEndpoints.id, sql.placeholder("endpointId"));
const works = preparedWrite((db) =>
  db
    .update(webhookEndpoints)
    .set({ failingSince: null })
    .where(and(isTheEndpoint, isNotNull(webhookEndpoints.failingSince))),
);
const fails = preparedWrite((db) =>
  db
    .update(webhookEndpoints)
    .set({ failingSince: placeholderFor(webhookEndpoints.failingSince, "begunAt") })
    .where(and(isTheEndpoint, isNull(webhookEndpoints.failingSince))),
);
