import { toWire } from "@/contract/wire/to-wire";
import { and, eq, isNotNull, sql } from "drizzle-orm";
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

/** For how long the keys that a job issued can be downloaded. */
const keysMilliseconds = 7 * day;
const mostRefused = 1_000;
const keysAPage = 250;

/** A job as staff see it. Refuses with `job_unknown`. */
export async function jobForStaff(ctx: Ctx, actor: Actor, id: string): Promise<DeskJob> {
  authorize(actor, "licence_job.read");
  const job = await expectJob(ctx, id);
  return toWire(deskJob, {
    ...job,
    by: { id: job.madeBy, name: await nameOf(ctx, job.madeBy) },
    refused: job.refused === 0 ? [] : await refusedOf(ctx, id),
    refusedTotal: job.refused,
    keysUntil: keysUntil(job),
  });
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
  return new Date(finishedAt.getTime() + keysMilliseconds);
}

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
  for (let from = 0; ; from += keysAPage) {
    const rows = await ctx.store.db
      .select({ id: licences.id, keySealed: licences.keySealed })
      .from(licenceJobItems)
      .innerJoin(licences, eq(licences.id, licenceJobItems.licenceId))
      .where(
        and(
          eq(licenceJobItems.jobId, jobId),
          sql`${licenceJobItems.position} >= ${from} AND ${licenceJobItems.position} < ${from + keysAPage}`,
        ),
      )
      .orderBy(licenceJobItems.position);
    if (rows.length > 0) yield rows.map((licence) => keyOf(ctx, licence));
    if (rows.length < keysAPage) return;
    await yieldToEventLoop();
  }
}
