import { and, eq } from "drizzle-orm";
import { partBytes } from "@/contract/wire/desk/releases";
import type { Actor } from "@/core/base/actor";
import { commit, mustHaveChanged } from "@/core/database/commit";
import { commitIfFirst } from "@/core/database/conflict";
import type { Ctx } from "@/core/database/context";
import { diskFault } from "@/core/database/disk-fault";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { authorize } from "../../permissions";
import { releaseUploads } from "../../schema/release-uploads";
import type { BuildStore } from "../store";
import { removalOf } from "./forget-uploads";
import { addressOfPart, bytesOf, inState, partsOf, type Upload, uploadNamed } from "./uploads";

type Place = { id: string; part: number };

/**
 * The upload that waits for a part, before its bytes are read. Refuses with `upload_unknown`, also for a part that the
 * upload doesn't have, and with `upload_over` once it waits for none.
 */
export async function uploadOfPart(ctx: Ctx, { id, part }: Place, actor: Actor): Promise<Upload> {
  authorize(actor, "release.publish");
  const upload = await uploadNamed(ctx, id);
  if (part >= partsOf(upload)) throw new Refusal("upload_unknown");
  await expectNoCopy(ctx);
  if (upload.state !== "sending") throw new Refusal("upload_over");
  return upload;
}

/**
 * Appends a part; resolves to how many bytes have arrived. One that arrived before changes nothing. Refuses as
 * {@link uploadOfPart}, with `upload_incomplete` if it is not the next, with `part_damaged` if it has another size, and
 * with `no_space`.
 */
export async function takePart(
  ctx: Ctx,
  parts: BuildStore,
  { bytes, ...place }: Place & { bytes: Uint8Array<ArrayBuffer> },
  actor: Actor,
): Promise<number> {
  authorize(actor, "release.publish");
  const { id, received, terms } = await uploadOfPart(ctx, place, actor);
  const from = place.part * partBytes;
  if (from < received) return received;
  if (from > received) throw new Refusal("upload_incomplete");
  if (bytes.length !== Math.min(partBytes, bytesOf(terms.files) - from)) throw new Refusal("part_damaged");
  if (!(await parts.hasSpace(bytes.length))) throw new Refusal("no_space");
  await parts.keep(addressOfPart(id, place.part), new Blob([bytes])).catch((error: unknown) => {
    throw diskFault(error) === null ? error : new Refusal("no_space", {}, { cause: error });
  });
  const isFirst = await commitIfFirst(ctx.store, [
    ctx.store.db
      .update(releaseUploads)
      .set({ received: from + bytes.length, touchedAt: ctx.now() })
      .where(and(inState(id, "sending"), eq(releaseUploads.received, from))),
    mustHaveChanged("conflict"),
  ]);
  if (isFirst) return from + bytes.length;
  // if it was cancelled meanwhile, its parts were removed before this one was there
  await commit(ctx.store, [removalOf(ctx, id)]);
  return (await uploadOfPart(ctx, place, actor)).received;
}
