import { desc, gt, lt } from "drizzle-orm";
import { minute } from "@/contract/vocabulary/time";
import { commit } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { release } from "@/core/database/release";
import { processes } from "../schema/processes";

export type Process = typeof processes.$inferSelect;

export const noteEveryMilliseconds = minute / 2;
/** A process that is silent for so long has ended. */
const silentMilliseconds = 2 * minute;
const mostShown = 50;

/** This process in the table of those that run. */
export function thisProcess(ctx: Ctx) {
  const own = { id: newId(), version: release.number, startedAt: ctx.now() };
  return {
    id: own.id,
    /** Notes that it runs, and forgets those that ended. */
    async note(): Promise<void> {
      const seenAt = ctx.now();
      const { db } = ctx.store;
      await commit(ctx.store, [
        db
          .insert(processes)
          .values({ ...own, seenAt })
          .onConflictDoUpdate({ target: processes.id, set: { seenAt } }),
        db.delete(processes).where(lt(processes.seenAt, silentSince(seenAt))),
      ]);
    },
  };
}

/** The processes that run, the one seen last first. */
export const runningProcesses = ({ store: { db }, now }: Ctx): Promise<Process[]> =>
  db
    .select()
    .from(processes)
    .where(gt(processes.seenAt, silentSince(now())))
    .orderBy(desc(processes.seenAt))
    .limit(mostShown);

const silentSince = (at: Date) => new Date(at.getTime() - silentMilliseconds);
