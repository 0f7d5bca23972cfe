import { and, eq } from "drizzle-orm";
import type { Actor } from "@/core/base/actor";
import { commit, mustHaveChanged } from "@/core/database/commit";
import { commitIfFirst } from "@/core/database/conflict";
import type { Ctx } from "@/core/database/context";
import { diskFault } from "@/core/database/disk-fault";
import { noneOf } from "@/core/jobs/outbox";
import { shopTopics } from "../../outbox-topics";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { authorize } from "../../permissions";
import { releaseUploadParts, releaseUploads } from "../../schema/release-uploads";
import type { BuildStore } from "../store";
import { removalOf } from "./forget-uploads";
import { filesOf, inState, partsOf, sizeOfPart, uploadNamed, type UploadFile } from "./uploads";

type Place = { id: string; file: number; part: number };

/**
 * Resolves to how many bytes a part must have, before they are read. Refuses with `upload_unknown`, also for a file or
 * part that the upload doesn't have, and with `upload_over` once the upload is no longer open.
 */
export async function placeOfPart(ctx: Ctx, { id, file, part }: Place, actor: Actor): Promise<number> {
  authorize(actor, "release.publish");
  const upload = await uploadNamed(ctx, id);
  const found = (await filesOf(ctx, id)).find((one: UploadFile) => one.file === file);
  if (!found || part >= partsOf(found)) throw new Refusal("upload_unknown");
  await expectNoCopy(ctx);
  if (upload.state !== "sending" && upload.state !== "refused") throw new Refusal("upload_over");
  return sizeOfPart(found, part);
}

type SentPart = Place & { sha256: string; bytes: Uint8Array<ArrayBuffer> };

/**
 * Stores a part; sending it again is harmless, and other bytes replace it. Refuses as {@link placeOfPart}, with
 * `part_damaged` if bytes are missing or wrong, with `no_space`, and with `busy` while the same bytes are being removed
 * for another upload.
 */
export async function takePart(
  ctx: Ctx,
  parts: BuildStore,
  { sha256, bytes, ...place }: SentPart,
  actor: Actor,
): Promise<void> {
  authorize(actor, "release.publish");
  const size = await placeOfPart(ctx, place, actor);
  if (bytes.length !== size || digestOf(bytes) !== sha256) throw new Refusal("part_damaged");
  if (!(await parts.hasSpace(size))) throw new Refusal("no_space");
  // claimed first, so that nobody removes the same bytes meanwhile
  await claim(ctx, place, sha256);
  await parts.keep(sha256, new Blob([bytes])).catch((error: unknown) => {
    throw diskFault(error) === null ? error : new Refusal("no_space", {}, { cause: error });
  });
  const isKept = await commitIfFirst(ctx.store, [
    ctx.store.db
      .update(releaseUploadParts)
      .set({ kept: true })
      .where(and(own(place), eq(releaseUploadParts.address, sha256))),
    mustHaveChanged("conflict"),
  ]);
  // the upload was cancelled meanwhile, or another sender replaced the part
  if (!isKept) await commit(ctx.store, [removalOf(ctx, sha256)]);
}

const digestOf = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

const own = ({ id, file, part }: Place) =>
  and(
    eq(releaseUploadParts.uploadId, id),
    eq(releaseUploadParts.file, file),
    eq(releaseUploadParts.part, part),
  );

async function claim(ctx: Ctx, place: Place, address: string): Promise<void> {
  const { db } = ctx.store;
  const { id: uploadId, file, part } = place;
  const [before] = await db.select().from(releaseUploadParts).where(own(place));
  const isOther = before !== undefined && before.address !== address;
  await commit(ctx.store, [
    db
      .update(releaseUploads)
      .set({ touchedAt: ctx.now() })
      .where(and(inState(uploadId, "sending", "refused"), noneOf(ctx, shopTopics.removePart, address))),
    mustHaveChanged("busy"),
    ...(isOther ? [db.delete(releaseUploadParts).where(own(place)), removalOf(ctx, before.address)] : []),
    db.insert(releaseUploadParts).values({ uploadId, file, part, address }).onConflictDoNothing(),
  ]);
}
