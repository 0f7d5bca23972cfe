import { count, desc, min, sql } from "drizzle-orm";
import type { Ctx } from "./context";
import type { Gauge } from "./metrics";
import { laneOf, stuckAttempts } from "./outbox";
import { outbox } from "./schema";

/** Waiting jobs, those that failed most first. */
export const waitingWork = (ctx: Ctx, limit: number) =>
  ctx.store.db
    .select({
      topic: outbox.topic,
      subject: outbox.subject,
      attempts: outbox.attempts,
      createdAt: outbox.createdAt,
      dueAt: outbox.dueAt,
      lastError: outbox.lastError,
    })
    .from(outbox)
    .orderBy(desc(outbox.attempts), outbox.createdAt)
    .limit(limit);

/** How many jobs are waiting, for how long, and how many keep failing. */
export async function queueGauges(ctx: Ctx): Promise<Gauge[]> {
  const rows = await ctx.store.db
    .select({
      topic: outbox.topic,
      waiting: count(),
      stuck: sql<number>`sum(${outbox.attempts} >= ${stuckAttempts})`,
      failing: sql<number>`sum(${outbox.attempts} > 0)`,
      oldest: min(outbox.createdAt),
    })
    .from(outbox)
    .groupBy(outbox.topic);
  const by = (name: string, help: string, value: (row: (typeof rows)[number]) => number): Gauge => ({
    name,
    help,
    values: rows.map((row) => ({ labels: { topic: row.topic }, value: value(row) })),
  });
  const lanes = Map.groupBy(rows, ({ topic }) => laneOf(topic));
  const age = ({ oldest }: (typeof rows)[number]) => (oldest ? ctx.now().getTime() - oldest.getTime() : 0);
  return [
    by("latchkey_outbox_waiting", "Deliveries that wait.", (row) => row.waiting),
    by("latchkey_outbox_failing", "Deliveries that failed at least once.", (row) => row.failing),
    by("latchkey_outbox_stuck", "Deliveries that failed again and again.", (row) => row.stuck),
    {
      name: "latchkey_outbox_oldest_seconds",
      help: "How long the oldest delivery of each lane has waited.",
      values: Array.from(lanes, ([lane, own]) => ({
        labels: { lane },
        value: Math.max(0, ...own.map(age)) / 1000,
      })),
    },
  ];
}
