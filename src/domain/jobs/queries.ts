import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { type LicenceJob, licenceJobItems, licenceJobs } from "../schema/jobs";

/** A job that staff can see. Refuses with `job_unknown`. */
export async function expectJob(ctx: Ctx, id: string): Promise<LicenceJob> {
  const [job] = await ctx.store.db
    .select()
    .from(licenceJobs)
    .where(and(eq(licenceJobs.id, id), isNotNull(licenceJobs.readyAt)));
  if (!job) throw new Refusal("job_unknown");
  return job;
}

/** As a condition: the job is not over. */
export const isRunning = (id: string) =>
  and(eq(licenceJobs.id, id), isNotNull(licenceJobs.readyAt), isNull(licenceJobs.finishedAt));

/** `content`: of a line of a file, encrypted. */
export type Item = { position: number; licenceId: string; content: string | null };

/** A job's next waiting licences. */
export const waitingItems = (ctx: Ctx, jobId: string, most: number): Promise<Item[]> =>
  ctx.store.db
    .select({
      position: licenceJobItems.position,
      licenceId: licenceJobItems.licenceId,
      content: licenceJobItems.content,
    })
    .from(licenceJobItems)
    // a constant, as in the partial index
    .where(and(eq(licenceJobItems.jobId, jobId), sql`${licenceJobItems.doneAt} IS NULL`))
    .orderBy(licenceJobItems.position)
    .limit(most);
