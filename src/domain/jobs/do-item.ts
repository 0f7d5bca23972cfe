import { and, eq, isNull, sql } from "drizzle-orm";
import type { RefusalCode } from "@/contract/vocabulary/refusals";
import { commit, mustHaveChanged, type Write } from "@/core/database/commit";
import { isConflict } from "@/core/database/conflict";
import type { Ctx } from "@/core/database/context";
import { failpoint } from "@/core/log/failpoints";
import { Refusal, refusalIn } from "@/core/base/refusal";
import { changeLicence, extendLicence } from "../licences/changes/change";
import { type LicenceJob, licenceJobItems, licenceJobs } from "../schema/jobs";
import { licences } from "../schema/licences";
import { isRunning, type Item } from "./queries";

/** The licence is done already, or the job was cancelled. */
class NothingToDo extends Error {
  override name = "NothingToDo";
}

/** Refusals because of the database rather than the licence. */
const passing: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  "conflict",
  "unavailable",
  "unconfirmed",
  "busy",
]);

/**
 * Applies a job's action to one licence and marks it as done in the same commit, so that neither a crash nor another
 * process applies it twice. If the licence is refused, it is stored with the reason.
 */
export async function doItem(ctx: Ctx, job: LicenceJob, item: Item): Promise<void> {
  try {
    await act(ctx, job, item);
    failpoint("licence-job.item-done");
  } catch (error) {
    if (error instanceof NothingToDo) return;
    const code = refusalIn(error)?.code;
    if (!code || passing.has(code)) throw error;
    await refuse(ctx, job, item, code);
  }
}

async function act(ctx: Ctx, job: LicenceJob, item: Item): Promise<void> {
  const [licence] = await ctx.store.db.select().from(licences).where(eq(licences.id, item.licenceId));
  if (!licence) throw new Refusal("license_unknown");
  const { action, actor, reason } = job;
  const doing = { actor, reason, also: () => doneWrites(ctx, job, item, null) };
  if (action === "extend") await extendLicence(ctx, licence, job.days ?? 0, doing);
  else if (action !== "issue") await changeLicence(ctx, licence, action, doing);
}

/** The writes that mark an item as done. Their commit fails with `conflict` if it is done already or the job is over. */
async function doneWrites(
  ctx: Ctx,
  job: LicenceJob,
  item: Item,
  refusal: RefusalCode | null,
): Promise<Write[]> {
  const { db } = ctx.store;
  if (!(await isWaiting(ctx, job, item))) throw new NothingToDo();
  const refused = refusal === null ? 0 : 1;
  return [
    db
      .update(licenceJobs)
      .set({ done: sql`${licenceJobs.done} + 1`, refused: sql`${licenceJobs.refused} + ${refused}` })
      .where(isRunning(job.id)),
    mustHaveChanged("conflict"),
    db
      .update(licenceJobItems)
      .set({ doneAt: ctx.now(), refusal })
      .where(and(isItem(job, item), isNull(licenceJobItems.doneAt))),
    mustHaveChanged("conflict"),
  ];
}

const isItem = ({ id }: LicenceJob, { position }: Item) =>
  and(eq(licenceJobItems.jobId, id), eq(licenceJobItems.position, position));

async function isWaiting(ctx: Ctx, job: LicenceJob, item: Item): Promise<boolean> {
  const { db } = ctx.store;
  const [[running], [waiting]] = await db.batch([
    db.select({ id: licenceJobs.id }).from(licenceJobs).where(isRunning(job.id)),
    db
      .select({ at: licenceJobItems.position })
      .from(licenceJobItems)
      .where(and(isItem(job, item), isNull(licenceJobItems.doneAt))),
  ]);
  return running !== undefined && waiting !== undefined;
}

async function refuse(ctx: Ctx, job: LicenceJob, item: Item, code: RefusalCode): Promise<void> {
  try {
    await commit(ctx.store, await doneWrites(ctx, job, item, code));
  } catch (error) {
    if (!(error instanceof NothingToDo) && !isConflict(error)) throw error;
  }
}
