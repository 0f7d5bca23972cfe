import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { partBytes } from "@/contract/wire/desk/releases";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { day } from "@/contract/vocabulary/time";
import type { Actor } from "@/core/base/actor";
import { authorize } from "../../permissions";
import { releaseUploads } from "../../schema/release-uploads";

export type Upload = typeof releaseUploads.$inferSelect;

/** How many may be open at once, so that parts of forgotten ones don't fill the disk. */
export const mostOpen = 4;
/** An upload that nobody continues for this long is cancelled. */
export const abandonedAfter = day;
/** For how long an upload can be looked up after its end. */
export const keptAfterEnd = 7 * day;

/** Has to equal the condition of its partial index. */
export const isOpen = sql`${releaseUploads.state} IN ('sending', 'publishing', 'refused')`;
/** A condition on an upload's state in a write. */
export const inState = (id: string, ...states: Upload["state"][]): SQL | undefined =>
  and(eq(releaseUploads.id, id), inArray(releaseUploads.state, states));

/** The bytes of all files together. */
export const bytesOf = (files: readonly { size: number }[]): number =>
  files.reduce((sum, { size }) => sum + size, 0);

export const partsOf = ({ terms }: Upload): number => Math.ceil(bytesOf(terms.files) / partBytes);

/** Where a part is in the store of parts, known without a row, so that nothing is left behind. */
export const addressOfPart = (id: string, part: number): string =>
  new Bun.CryptoHasher("sha256").update(`${id} ${part}`).digest("hex");

/** Refuses with `upload_unknown`. */
export async function uploadNamed({ store: { db } }: Ctx, id: string): Promise<Upload> {
  const [found] = await db.select().from(releaseUploads).where(eq(releaseUploads.id, id));
  if (!found) throw new Refusal("upload_unknown");
  return found;
}

/** An upload as it is now. Refuses with `upload_unknown`. */
export async function uploadShown(ctx: Ctx, id: string, actor: Actor): Promise<Upload> {
  authorize(actor, "release.publish");
  return uploadNamed(ctx, id);
}

/** The uploads that are under way, oldest first. */
export async function openUploads(ctx: Ctx, actor: Actor): Promise<Upload[]> {
  authorize(actor, "release.publish");
  return ctx.store.db
    .select()
    .from(releaseUploads)
    .where(isOpen)
    .orderBy(asc(releaseUploads.createdAt), asc(releaseUploads.id))
    .limit(mostOpen);
}
