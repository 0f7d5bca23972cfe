import { and, gt, inArray, lte } from "drizzle-orm";
import type { By } from "@/core/base/actor";
import { commit, mustHaveChanged, type Write } from "@/core/database/commit";
import { commitIfFirst } from "@/core/database/conflict";
import type { Ctx } from "@/core/database/context";
import type { Handler } from "@/core/jobs/job-handlers";
import { enqueue, noneOf } from "@/core/jobs/outbox";
import { shopTopics } from "../../outbox-topics";
import { authorize } from "../../permissions";
import { releaseUploads } from "../../schema/release-uploads";
import type { BuildStore } from "../store";
import {
  abandonedAfter,
  addressOfPart,
  inState,
  isOpen,
  keptAfterEnd,
  mostOpen,
  partsOf,
  type Upload,
  uploadNamed,
} from "./uploads";

/**
 * Ends an upload and forgets its parts; cancelling it again changes nothing. Refuses with `upload_unknown`, and with
 * `upload_over` if it is being published, or was.
 */
export async function cancelUpload(ctx: Ctx, id: string, by: By): Promise<Upload> {
  authorize(by, "release.publish");
  const { state } = await uploadNamed(ctx, id);
  if (state !== "cancelled") await commit(ctx.store, cancelling(ctx, id, "upload_over"));
  return uploadNamed(ctx, id);
}

const cancelling = (ctx: Ctx, id: string, otherwise: "upload_over" | "conflict"): Write[] => [
  ctx.store.db
    .update(releaseUploads)
    .set({ state: "cancelled", touchedAt: ctx.now() })
    .where(and(inState(id, "sending", "publishing", "refused"), noneOf(ctx, shopTopics.publishUpload, id))),
  mustHaveChanged(otherwise),
  removalOf(ctx, id),
];

/** The write that has the parts of an upload deleted, if it is over. */
export const removalOf = (ctx: Ctx, id: string): Write =>
  enqueue(ctx, { topic: shopTopics.removeParts, subject: id });

/** The outbox handler that deletes the parts of an upload that is over. */
export const removeParts =
  (ctx: Ctx, parts: BuildStore): Handler<typeof shopTopics.removeParts> =>
  async ({ subject: id }) => {
    const upload = await uploadNamed(ctx, id).catch(() => null);
    if (upload?.state !== "published" && upload?.state !== "cancelled") return [];
    for (let part = 0; part < partsOf(upload); part += 1) await parts.remove(addressOfPart(id, part));
    return [];
  };

/**
 * The periodic job: cancels uploads that nobody continued for a day, or whose publication was dropped or lost by a
 * restore, and forgets those that ended a week ago.
 */
export async function forgetUploads(ctx: Ctx): Promise<void> {
  const { db } = ctx.store;
  const ago = (milliseconds: number) => new Date(ctx.now().getTime() - milliseconds);
  const open = await db
    .select()
    .from(releaseUploads)
    // the index is by time
    .where(and(isOpen, gt(releaseUploads.createdAt, new Date(0))))
    .limit(mostOpen);
  for (const { id, state, touchedAt } of open)
    if (state === "publishing" || touchedAt <= ago(abandonedAfter))
      await commitIfFirst(ctx.store, cancelling(ctx, id, "conflict"));
  const old = db
    .select({ id: releaseUploads.id })
    .from(releaseUploads)
    .where(
      and(
        lte(releaseUploads.touchedAt, ago(keptAfterEnd)),
        inArray(releaseUploads.state, ["published", "cancelled"]),
      ),
    )
    .limit(20);
  await db.delete(releaseUploads).where(inArray(releaseUploads.id, old));
}
