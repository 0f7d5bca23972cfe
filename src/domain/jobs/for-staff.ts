import { toWire } from "@/contract/wire/to-wire";
import { and, count, eq, isNotNull, sql } from "drizzle-orm";
import { deskJob, type DeskJob } from "@/contract/wire/desk/jobs";
import { day } from "@/contract/vocabulary/time";
import { type Actor, type By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { csvHeading, csvLine } from "@/core/base/csv-line";
import { yieldToEventLoop } from "@/core/base/yield";
import { Refusal } from "@/core/base/refusal";
import { keyOf } from "../licences/keys/issue";
import { authorize, expectConfirmed } from "../permissions";
import { accounts } from "../schema/accounts";
import { type LicenceJob, licenceJobItems, licenceJobs } from "../schema/jobs";
import { licences } from "../schema/licences";
import { expectJob, isRunning } from "./queries";

/** For how long a job's file can be downloaded. */
const fileMilliseconds = 7 * day;
const mostRefused = 1_000;
const rowsAPage = 250;

/** A job as staff see it. Refuses with `job_unknown`. */
export async function jobForStaff(ctx: Ctx, actor: Actor, id: string): Promise<DeskJob> {
  authorize(actor, "licence_job.read");
  const job = await expectJob(ctx, id);
  return toWire(deskJob, {
    ...job,
    by: { id: job.madeBy, name: await nameOf(ctx, job.madeBy) },
    refused: job.refused === 0 ? [] : await refusedOf(ctx, id),
    refusedTotal: job.refused,
    lines: isImport(job) ? await linesOf(ctx, id) : null,
    keysUntil: keysUntil(job),
    resultUntil: resultUntil(job),
  });
}

const isImport = ({ action }: LicenceJob) => action === "import_keys" || action === "import_customers";

async function linesOf({ store: { db } }: Ctx, jobId: string): Promise<DeskJob["lines"]> {
  const { outcome } = licenceJobItems;
  const found = await db
    .select({ outcome, many: count() })
    .from(licenceJobItems)
    .where(and(eq(licenceJobItems.jobId, jobId), isNotNull(outcome)))
    .groupBy(outcome);
  const none = { new: 0, changed: 0, merged: 0, left_out: 0, refused: 0 };
  return found.reduce((sums, one) => (one.outcome ? { ...sums, [one.outcome]: one.many } : sums), none);
}

async function nameOf({ store: { db } }: Ctx, id: string): Promise<string | null> {
  const [account] = await db.select({ name: accounts.username }).from(accounts).where(eq(accounts.id, id));
  return account?.name ?? null;
}

async function refusedOf({ store: { db } }: Ctx, jobId: string): Promise<DeskJob["refused"]> {
  const rows = await db
    .select({ id: licenceJobItems.licenceId, code: licenceJobItems.refusal })
    .from(licenceJobItems)
    .where(and(eq(licenceJobItems.jobId, jobId), isNotNull(licenceJobItems.refusal)))
    .orderBy(licenceJobItems.position)
    .limit(mostRefused);
  return rows.flatMap(({ id, code }) => (code ? [{ id, code }] : []));
}

/** Until when a job's keys can be downloaded; null if they can't, such as when they were mailed. */
function keysUntil({ action, email, cancelledAt, finishedAt }: LicenceJob): Date | null {
  const wereMailed = email !== null && cancelledAt === null;
  if (action !== "issue" || wereMailed || finishedAt === null) return null;
  return new Date(finishedAt.getTime() + fileMilliseconds);
}

const resultUntil = (job: LicenceJob): Date | null =>
  isImport(job) && job.finishedAt !== null ? new Date(job.finishedAt.getTime() + fileMilliseconds) : null;

/** Cancels a job; what is already done stays done. Refuses with `job_unknown` and `job_finished`. */
export async function cancelJob(ctx: Ctx, id: string, by: By): Promise<void> {
  authorize(by, "licence_job.cancel");
  await expectJob(ctx, id);
  const now = ctx.now();
  await commit(ctx.store, [
    ctx.store.db.update(licenceJobs).set({ cancelledAt: now, finishedAt: now }).where(isRunning(id)),
    mustHaveChanged("job_finished"),
    record(ctx, { ...by, action: "licence_job.cancelled", subject: id }),
  ]);
}

/**
 * The whole keys that a job issued, as the lines of a file, a page at a time; the download is logged. Refuses with
 * `job_unknown`, and with `job_without_keys` where they were mailed, are not all made yet, or were made too long ago.
 */
export async function keysOfJob(ctx: Ctx, actor: Actor, id: string): Promise<AsyncGenerator<string>> {
  authorize(actor, "licence.reveal_key");
  const job = await expectJob(ctx, id);
  expectConfirmed(ctx, actor, "licence.reveal_key");
  const until = keysUntil(job);
  if (until === null || until <= ctx.now()) throw new Refusal("job_without_keys");
  await commit(ctx.store, [record(ctx, { actor, action: "licence_job.keys_downloaded", subject: id })]);
  return keyLines(ctx, job);
}

async function* keyLines(ctx: Ctx, job: LicenceJob): AsyncGenerator<string> {
  yield csvHeading(["key", "days"]);
  for await (const keys of issuedKeys(ctx, job.id)) {
    yield keys.map((key) => csvLine([key, job.days])).join("");
  }
}

/** The whole keys that a job issued, in the order in which they were made. */
export async function* issuedKeys(ctx: Ctx, jobId: string): AsyncGenerator<string[]> {
  for (let from = 0; ; from += rowsAPage) {
    const rows = await ctx.store.db
      .select({ id: licences.id, keySealed: licences.keySealed })
      .from(licenceJobItems)
      .innerJoin(licences, eq(licences.id, licenceJobItems.licenceId))
      .where(
        and(
          eq(licenceJobItems.jobId, jobId),
          sql`${licenceJobItems.position} >= ${from} AND ${licenceJobItems.position} < ${from + rowsAPage}`,
        ),
      )
      .orderBy(licenceJobItems.position);
    if (rows.length > 0) yield rows.map((licence) => keyOf(ctx, licence));
    if (rows.length < rowsAPage) return;
    await yieldToEventLoop();
  }
}

/**
 * What became of each line that a job imported, as the lines of a file, a page at a time. Refuses with `job_unknown`, and
 * with `job_without_result`.
 */
export async function resultOfJob(ctx: Ctx, actor: Actor, id: string): Promise<AsyncGenerator<string>> {
  authorize(actor, "licence_job.read");
  const until = resultUntil(await expectJob(ctx, id));
  if (until === null || until <= ctx.now()) throw new Refusal("job_without_result");
  return resultLines(ctx, id);
}

async function* resultLines(ctx: Ctx, jobId: string): AsyncGenerator<string> {
  const { position, line, outcome, note, licenceId } = licenceJobItems;
  yield csvHeading(["line", "outcome", "why", "id"]);
  for (let from = 0; ; from += rowsAPage) {
    const rows = await ctx.store.db
      .select({ line, outcome, note, licenceId })
      .from(licenceJobItems)
      .where(
        and(
          eq(licenceJobItems.jobId, jobId),
          sql`${position} >= ${from} AND ${position} < ${from + rowsAPage}`,
        ),
      )
      .orderBy(position);
    yield rows.map((row) => csvLine([row.line, row.outcome ?? "canceled", row.note, row.licenceId])).join("");
    if (rows.length < rowsAPage) return;
    await yieldToEventLoop();
  }
}
