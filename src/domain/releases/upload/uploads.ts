import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { partBytes } from "@/contract/wire/desk/releases";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { day } from "@/contract/vocabulary/time";
import type { Actor } from "@/core/base/actor";
import { authorize } from "../../permissions";
import { releaseUploadFiles, releaseUploadParts, releaseUploads } from "../../schema/release-uploads";

export type Upload = typeof releaseUploads.$inferSelect;
export type UploadFile = typeof releaseUploadFiles.$inferSelect;
export type UploadPart = typeof releaseUploadParts.$inferSelect;

/** An upload with its files, and the missing parts of each. */
export type UploadView = Upload & { files: (UploadFile & { parts: number; missing: number[] })[] };

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

export const partsOf = ({ size }: Pick<UploadFile, "size">): number => Math.ceil(size / partBytes);

/** How many bytes a part of a file has. */
export const sizeOfPart = ({ size }: Pick<UploadFile, "size">, part: number): number =>
  Math.min(partBytes, size - part * partBytes);

/** Refuses with `upload_unknown`. */
export async function uploadNamed({ store: { db } }: Ctx, id: string): Promise<Upload> {
  const [found] = await db.select().from(releaseUploads).where(eq(releaseUploads.id, id));
  if (!found) throw new Refusal("upload_unknown");
  return found;
}

export const filesOf = ({ store: { db } }: Ctx, uploadId: string): Promise<UploadFile[]> =>
  db
    .select()
    .from(releaseUploadFiles)
    .where(eq(releaseUploadFiles.uploadId, uploadId))
    .orderBy(asc(releaseUploadFiles.file));

/** The parts of an upload, including those that are still being stored. */
export const allParts = ({ store: { db } }: Ctx, uploadId: string): Promise<UploadPart[]> =>
  db
    .select()
    .from(releaseUploadParts)
    .where(eq(releaseUploadParts.uploadId, uploadId))
    .orderBy(asc(releaseUploadParts.file), asc(releaseUploadParts.part));

/** An upload as it is now. Refuses with `upload_unknown`. */
export async function uploadShown(ctx: Ctx, id: string, actor: Actor): Promise<UploadView> {
  authorize(actor, "release.publish");
  return viewOf(ctx, await uploadNamed(ctx, id));
}

/** The uploads that are under way, oldest first. */
export async function openUploads(ctx: Ctx, actor: Actor): Promise<UploadView[]> {
  authorize(actor, "release.publish");
  const rows = await ctx.store.db
    .select()
    .from(releaseUploads)
    .where(isOpen)
    .orderBy(asc(releaseUploads.createdAt), asc(releaseUploads.id))
    .limit(mostOpen);
  return Promise.all(rows.map((row) => viewOf(ctx, row)));
}

async function viewOf(ctx: Ctx, upload: Upload): Promise<UploadView> {
  const [files, parts] = await Promise.all([filesOf(ctx, upload.id), allParts(ctx, upload.id)]);
  const kept = new Set(parts.filter((one) => one.kept).map(({ file, part }) => `${file}/${part}`));
  const isDone = upload.state === "published" || upload.state === "cancelled";
  return {
    ...upload,
    files: files.map((file) => {
      const count = partsOf(file);
      const numbers = isDone ? [] : Array.from({ length: count }, (_, part) => part);
      return { ...file, parts: count, missing: numbers.filter((part) => !kept.has(`${file.file}/${part}`)) };
    }),
  };
}
