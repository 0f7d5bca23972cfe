import type { StuckJob } from "@/contract/wire/desk/jobs";
import type { Actor, By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { StoredJob } from "@/core/jobs/job-handlers";
import { dropJob, makeDueNow, jobWithKey, stuckJobs } from "@/core/jobs/outbox";
import { Refusal } from "@/core/base/refusal";
import { authorize } from "../permissions";

/** Jobs of the outbox that keep failing, those waiting longest first. */
export async function listStuckJobs(ctx: Ctx, actor: Actor): Promise<StuckJob[]> {
  authorize(actor, "outbox.read");
  return (await stuckJobs(ctx)).map(({ key, since, dueAt, lastError, ...job }) => ({
    id: idOf(key),
    ...job,
    since: since.toISOString(),
    due_at: dueAt.toISOString(),
    last_error: lastError,
  }));
}

/** The id of a job in paths, where a key could have characters that are not allowed. */
const idOf = (key: string): string => Buffer.from(key).toString("base64url");

/**
 * Makes a job of the outbox due now, so that it is tried within seconds. Refuses with `outbox_unknown`, and with
 * `outbox_running` while it is being tried.
 */
export async function retryStuckJob(ctx: Ctx, id: string, by: By): Promise<void> {
  authorize(by, "outbox.retry");
  const { key, topic } = await expectOutboxJob(ctx, id);
  await commit(ctx.store, [
    makeDueNow(ctx, key),
    mustHaveChanged("outbox_running"),
    record(ctx, { ...by, action: "delivery.retried", subject: key, detail: { topic } }),
  ]);
}

/** Drops a job of the outbox for good. Refuses with `outbox_unknown`, and with `outbox_running` while it is being tried. */
export async function dropStuckJob(ctx: Ctx, id: string, by: By): Promise<void> {
  authorize(by, "outbox.drop");
  const { key, topic } = await expectOutboxJob(ctx, id);
  await commit(ctx.store, [
    dropJob(ctx, key),
    mustHaveChanged("outbox_running"),
    record(ctx, { ...by, action: "delivery.dropped", subject: key, detail: { topic } }),
  ]);
}

/** The job with this id of the desk or this key. */
async function expectOutboxJob(ctx: Ctx, id: string): Promise<StoredJob> {
  const job = (await jobWithKey(ctx, Buffer.from(id, "base64url").toString())) ?? (await jobWithKey(ctx, id));
  if (!job) throw new Refusal("outbox_unknown");
  return job;
}
