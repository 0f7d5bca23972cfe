import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { commit, commitIfFirst, isConflict, mustHaveChanged, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { failpoint } from "@/core/log/failpoints";
import type { Handler } from "@/core/jobs/job-handlers";
import { yieldToEventLoop } from "@/core/base/yield";
import { enqueue } from "@/core/jobs/outbox";
import type { RefusalCode } from "@/contract/vocabulary/refusals";
import { Refusal, refusalIn } from "@/core/base/refusal";
import { shopTopics } from "../outbox-topics";
import { issueWrites } from "../licences/keys/hand-out";
import { randomKey } from "../licences/keys/keys";
import { type LicenceJob, licenceJobItems, licenceJobs } from "../schema/jobs";
import { changeLicence, extendLicence } from "../licences/changes/change";
import { licences } from "../schema/licences";
import { issuedKeysEmail } from "./emails/issued-keys";
import { importRow } from "../imports/import";
import { type Done, finishRow } from "../imports/planned";
import { rowIn } from "./make-import";
import { isRunning, type Item, waitingItems } from "./queries";

/** How many items are done at once; their commits share one flush to the disk. */
const together = 8;
/** How many licences one commit issues. */
const issuedTogether = 20;
const contentsAtOnce = 250;
/** How many steps one run of the handler makes, so that a stopping shop does not wait for a whole job. */
const stepsARun = 50;

/**
 * The outbox handler that works on a job: a few licences at a time, with requests served between two steps. Enqueues
 * itself until nothing is left.
 */
export const runLicenceJob =
  (ctx: Ctx): Handler<typeof shopTopics.runLicenceJob> =>
  async ({ subject: id }) => {
    for (let step = 0; step < stepsARun; step += 1) {
      const [job] = await ctx.store.db.select().from(licenceJobs).where(isRunning(id));
      if (!job) return forgetContents(ctx, id);
      const isLeft = await (job.action === "issue" ? issueSome(ctx, job) : doSome(ctx, job));
      if (!isLeft) await endJob(ctx, job);
      failpoint("licence-job.step-done");
      await yieldToEventLoop();
    }
    return [enqueue(ctx, { topic: shopTopics.runLicenceJob, subject: id })];
  };

/** Forgets what a cancelled import had still to do, a page at a time. */
async function forgetContents(ctx: Ctx, jobId: string): Promise<[]> {
  const { db } = ctx.store;
  for (;;) {
    const waiting = await waitingItems(ctx, jobId, contentsAtOnce);
    const positions = waiting.flatMap(({ position, content }) => (content === null ? [] : [position]));
    if (positions.length === 0) return [];
    const ofPage = and(eq(licenceJobItems.jobId, jobId), inArray(licenceJobItems.position, positions));
    await commit(ctx.store, [
      db.update(licenceJobItems).set({ content: null, doneAt: ctx.now() }).where(ofPage),
    ]);
    await yieldToEventLoop();
  }
}

/** Does the next step of a job. Resolves to whether anything was left to do. */
async function doSome(ctx: Ctx, job: LicenceJob): Promise<boolean> {
  const items = await waitingItems(ctx, job.id, together);
  await Promise.all(items.map((item) => doItem(ctx, job, item)));
  return items.length > 0;
}

/** Issues the next licences in one commit, which fails if they were issued meanwhile or the job is over. */
async function issueSome(ctx: Ctx, job: LicenceJob): Promise<boolean> {
  const { db } = ctx.store;
  const count = Math.min(job.total - job.done, issuedTogether);
  if (count <= 0) return false;
  const made = Array.from({ length: count }, (_, at) => ({ id: newId(), position: job.done + at }));
  const by = { actor: job.actor, reason: job.reason };
  await commitIfFirst(ctx.store, [
    db
      .update(licenceJobs)
      .set({ done: sql`${licenceJobs.done} + ${count}` })
      .where(and(isRunning(job.id), eq(licenceJobs.done, job.done))),
    mustHaveChanged("conflict"),
    db
      .insert(licenceJobItems)
      .values(
        made.map(({ id, position }) => ({ jobId: job.id, position, licenceId: id, doneAt: ctx.now() })),
      ),
    ...made.flatMap(({ id }) =>
      issueWrites(
        ctx,
        {
          id,
          key: randomKey(),
          level: job.level ?? brand.premium.type,
          days: job.days,
          devices: job.devices,
          offer: job.offer,
        },
        by,
      ),
    ),
  ]);
  return true;
}

/** Ends a job that has nothing left to do. The email with its keys is sent once. */
const endJob = (ctx: Ctx, { id, email, action }: LicenceJob): Promise<boolean> =>
  commitIfFirst(ctx.store, [
    ctx.store.db.update(licenceJobs).set({ finishedAt: ctx.now() }).where(isRunning(id)),
    mustHaveChanged("conflict"),
    ...(action === "issue" && email !== null ? [enqueue(ctx, { topic: issuedKeysEmail, subject: id })] : []),
  ]);

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
async function doItem(ctx: Ctx, job: LicenceJob, item: Item): Promise<void> {
  try {
    await carryOut(ctx, job, item);
    failpoint("licence-job.item-done");
  } catch (error) {
    if (error instanceof NothingToDo) return;
    const code = refusalIn(error)?.code;
    if (!code || passing.has(code)) throw error;
    await refuse(ctx, job, item, code);
  }
}

async function carryOut(ctx: Ctx, job: LicenceJob, item: Item): Promise<void> {
  if (item.content !== null) return importLine(ctx, job, item, item.content);
  const [licence] = await ctx.store.db.select().from(licences).where(eq(licences.id, item.licenceId));
  if (!licence) throw new Refusal("license_unknown");
  const { action, actor, reason } = job;
  const by = { actor, reason, also: () => doneWrites(ctx, job, item, { refusal: null }) };
  if (action === "extend") await extendLicence(ctx, licence, job.days ?? 0, by);
  else if (action === "suspend" || action === "reinstate" || action === "revoke")
    await changeLicence(ctx, licence, action, by);
}

/** Imports a line of a file, which is forgotten with that. */
async function importLine(ctx: Ctx, job: LicenceJob, item: Item, content: string): Promise<void> {
  const by = { actor: job.actor, reason: job.reason };
  const also = ({ id: licenceId, outcome, note }: Done) =>
    doneWrites(ctx, job, item, { licenceId, outcome, note, content: null });
  const row = rowIn(ctx, { jobId: job.id, position: item.position }, content);
  if (row) await importRow(ctx, row, { by, also });
  else await finishRow(ctx, unreadable, [], { by, also });
}

const unreadable: Done = {
  outcome: "refused",
  note: "the shop's secret was replaced before its turn; import the file again",
  id: "",
};

/** The writes that mark an item as done. Their commit fails with `conflict` if it is done already or the job is over. */
async function doneWrites(
  ctx: Ctx,
  job: LicenceJob,
  item: Item,
  became: Partial<typeof licenceJobItems.$inferInsert>,
): Promise<Write[]> {
  const { db } = ctx.store;
  if (!(await isWaiting(ctx, job, item))) throw new NothingToDo();
  const refused = became.refusal || became.outcome === "refused" ? 1 : 0;
  return [
    db
      .update(licenceJobs)
      .set({ done: sql`${licenceJobs.done} + 1`, refused: sql`${licenceJobs.refused} + ${refused}` })
      .where(isRunning(job.id)),
    mustHaveChanged("conflict"),
    db
      .update(licenceJobItems)
      .set({ ...became, doneAt: ctx.now() })
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
    await commit(
      ctx.store,
      await doneWrites(ctx, job, item, {
        refusal: code,
        ...(item.content !== null && { outcome: "refused" as const, content: null }),
      }),
    );
  } catch (error) {
    if (!(error instanceof NothingToDo) && !isConflict(error)) throw error;
  }
}
