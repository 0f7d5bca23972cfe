import { and, eq, lt, sql } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { StoredJob } from "@/core/jobs/job-handlers";
import { keepFact } from "@/core/database/key-values";
import { maxJobsPerWrite, requeue } from "@/core/jobs/outbox";
import { keyValues } from "@/core/database/schema";
import { startsWith } from "@/core/database/starts-with";

/**
 * Emails that left the outbox unsent. `refused`: the mail server refused their addresses as mistaken, since it last
 * accepted anything. `given-up`: it refused them for days.
 */
export type Unsent = "refused" | "given-up";

/** How long they are kept. */
const keepDays: Record<Unsent, number> = { refused: 5, "given-up": 30 };

type UnsentJob = Pick<StoredJob, "key" | "topic" | "subject" | "payload" | "createdAt">;

const prefixOf = (why: Unsent) => `mail ${why}:`;

/** `at`: when it left the outbox. */
type KeptJob = Omit<UnsentJob, "createdAt"> & { createdAt: number; at: number };

export function storeUnsent(ctx: Ctx, why: Unsent, job: UnsentJob): Write {
  const { key, topic, subject, payload, createdAt } = job;
  const kept: KeptJob = {
    key,
    topic,
    subject,
    payload,
    createdAt: createdAt.getTime(),
    at: ctx.now().getTime(),
  };
  return keepFact(ctx, prefixOf(why) + key, JSON.stringify(kept));
}

/** Puts them back into the outbox and resolves to their number; those that were given up start from the beginning. */
export async function sendUnsent(ctx: Ctx, why: Unsent): Promise<number> {
  const { db } = ctx.store;
  let count = 0;
  for (let some = maxJobsPerWrite; some === maxJobsPerWrite; count += some) {
    const rows = await db
      .select()
      .from(keyValues)
      .where(startsWith(keyValues.name, prefixOf(why)))
      .limit(maxJobsPerWrite);
    some = rows.length;
    await commit(
      ctx.store,
      rows.flatMap(({ name, value }) => {
        const { createdAt, at: _, ...job } = JSON.parse(value) as KeptJob;
        return [
          requeue(ctx, { ...job, createdAt: why === "given-up" ? ctx.now() : new Date(createdAt) }),
          db.delete(keyValues).where(eq(keyValues.name, name)),
        ];
      }),
    );
  }
  return count;
}

export const forgetUnsentWrite = (ctx: Ctx, why: Unsent): Write =>
  ctx.store.db.delete(keyValues).where(startsWith(keyValues.name, prefixOf(why)));

export async function forgetOldUnsent(ctx: Ctx): Promise<void> {
  for (const why of ["refused", "given-up"] as const) {
    const before = ctx.now().getTime() - keepDays[why] * day;
    await ctx.store.db
      .delete(keyValues)
      .where(and(startsWith(keyValues.name, prefixOf(why)), lt(sql`${keyValues.value} ->> 'at'`, before)));
  }
}
