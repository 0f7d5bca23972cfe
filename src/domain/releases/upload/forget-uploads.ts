import { and, eq, gt, inArray, lte, notInArray } from "drizzle-orm";
import type { By } from "@/core/base/actor";
import { commit, mustHaveChanged, type Write } from "@/core/database/commit";
import { commitIfFirst } from "@/core/database/conflict";
import type { Ctx } from "@/core/database/context";
import type { Handler } from "@/core/jobs/job-handlers";
import { enqueue, enqueueEach, noneOf } from "@/core/jobs/outbox";
import { shopTopics } from "../../outbox-topics";
import { authorize } from "../../permissions";
import { releaseUploadParts, releaseUploads } from "../../schema/release-uploads";
import type { BuildStore } from "../store";
import {
  abandonedAfter,
  inState,
  isOpen,
  keptAfterEnd,
  mostOpen,
  uploadNamed,
  uploadShown,
  type UploadView,
} from "./uploads";

/**
 * Ends an upload and forgets its parts; cancelling it again changes nothing. Refuses with `upload_unknown`, and with
 * `upload_over` if it is being published, or was.
 */
export async function cancelUpload(ctx: Ctx, id: string, by: By): Promise<UploadView> {
  authorize(by, "release.publish");
  const { state } = await uploadNamed(ctx, id);
  if (state !== "cancelled") await commit(ctx.store, cancelling(ctx, id, "upload_over"));
  return uploadShown(ctx, id, by.actor);
}

const cancelling = (ctx: Ctx, id: string, otherwise: "upload_over" | "conflict"): Write[] => [
  ctx.store.db
    .update(releaseUploads)
    .set({ state: "cancelled", touchedAt: ctx.now() })
    .where(inState(id, "sending", "refused")),
  mustHaveChanged(otherwise),
  ...forgettingParts(ctx, id),
];

/** Deletes an upload's parts, and their bytes once no other upload has them. */
export const forgettingParts = (ctx: Ctx, id: string): Write[] => [
  enqueueEach(ctx, shopTopics.removePart, {
    subject: releaseUploadParts.address,
    from: releaseUploadParts,
    where: eq(releaseUploadParts.uploadId, id),
  }),
  ctx.store.db.delete(releaseUploadParts).where(eq(releaseUploadParts.uploadId, id)),
];

/** The write that has the bytes of a part deleted unless an upload has them. */
export const removalOf = (ctx: Ctx, address: string): Write =>
  enqueue(ctx, { topic: shopTopics.removePart, subject: address });

/** The outbox handler that deletes the bytes of a part once no upload has it any more. */
export const removePart =
  (ctx: Ctx, parts: BuildStore): Handler<typeof shopTopics.removePart> =>
  async ({ subject: address }) => {
    const holding = await ctx.store.db
      .select({ uploadId: releaseUploadParts.uploadId })
      .from(releaseUploadParts)
      .where(eq(releaseUploadParts.address, address))
      .limit(1);
    if (holding.length === 0) await parts.remove(address);
    return [];
  };

/** How many uploads a run ends; the next run goes on. */
const mostAtOnce = 20;

/**
 * The periodic job: reopens uploads whose publication was lost, cancels those that nobody continued for a day, and
 * forgets those that ended a week ago.
 */
export async function forgetUploads(ctx: Ctx): Promise<void> {
  await reopenLost(ctx);
  const { db } = ctx.store;
  const ago = (milliseconds: number) => new Date(ctx.now().getTime() - milliseconds);
  const abandoned = await db
    .select({ id: releaseUploads.id })
    .from(releaseUploads)
    .where(
      and(
        lte(releaseUploads.touchedAt, ago(abandonedAfter)),
        inArray(releaseUploads.state, ["sending", "refused"]),
      ),
    )
    .limit(mostAtOnce);
  for (const { id } of abandoned) await commitIfFirst(ctx.store, cancelling(ctx, id, "conflict"));
  const old = db
    .select({ id: releaseUploads.id })
    .from(releaseUploads)
    .where(
      and(
        lte(releaseUploads.touchedAt, ago(keptAfterEnd)),
        notInArray(releaseUploads.state, ["sending", "publishing", "refused"]),
      ),
    )
    .limit(mostAtOnce);
  await db.delete(releaseUploads).where(inArray(releaseUploads.id, old));
}

/**
 * Puts uploads back to `sending` that are being published without a job, because staff dropped the job or a restore
 * lost it. Their parts are still there, so they can be published again.
 */
async function reopenLost(ctx: Ctx): Promise<void> {
  const { db } = ctx.store;
  const open = await db
    .select({ id: releaseUploads.id, state: releaseUploads.state })
    .from(releaseUploads)
    // the index is by time
    .where(and(isOpen, gt(releaseUploads.createdAt, new Date(0))))
    .limit(mostOpen);
  for (const { id } of open.filter(({ state }) => state === "publishing")) {
    await db
      .update(releaseUploads)
      .set({ state: "sending", storedBytes: 0, touchedAt: ctx.now() })
      .where(and(inState(id, "publishing"), noneOf(ctx, shopTopics.publishUpload, id)));
  }
}
