import { and, eq, inArray, isNull, lt, type SQL } from "drizzle-orm";
import { day, hour } from "@/contract/vocabulary/time";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { atBackgroundPace } from "@/core/base/yield";
import { licenceJobItems, licenceJobs } from "../schema/jobs";

/** What a job did stays in the log. */
const keepMilliseconds = 30 * day;
/** A job whose choice takes longer was cut off by a kill. */
const madeWithin = hour;
const jobsAtOnce = 20;
const itemsAtOnce = 250;

/** Deletes old jobs, and those that were never quite made, a page of their licences at a time. */
export async function forgetJobs(ctx: Ctx): Promise<void> {
  const { db } = ctx.store;
  const madeBefore = (milliseconds: number) =>
    lt(licenceJobs.createdAt, new Date(ctx.now().getTime() - milliseconds));
  const some = (which: SQL | undefined) =>
    db.select({ id: licenceJobs.id }).from(licenceJobs).where(which).limit(jobsAtOnce);
  const old = await some(madeBefore(keepMilliseconds));
  const cutOff = await some(and(madeBefore(madeWithin), isNull(licenceJobs.readyAt)));
  for (const { id } of [...old, ...cutOff]) {
    while (await atBackgroundPace(() => forgetItems(ctx, id)));
    await commit(ctx.store, [db.delete(licenceJobs).where(eq(licenceJobs.id, id))]);
  }
}

/** Whether there may be more. */
async function forgetItems({ store }: Ctx, jobId: string): Promise<boolean> {
  const { position } = licenceJobItems;
  const page = await store.db
    .select({ position })
    .from(licenceJobItems)
    .where(eq(licenceJobItems.jobId, jobId))
    .limit(itemsAtOnce);
  const positions = page.map((row) => row.position);
  const ofPage = and(eq(licenceJobItems.jobId, jobId), inArray(position, positions));
  if (positions.length > 0) await commit(store, [store.db.delete(licenceJobItems).where(ofPage)]);
  return positions.length === itemsAtOnce;
}
