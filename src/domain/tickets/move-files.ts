import { and, asc, eq, gt, isNotNull } from "drizzle-orm";
import { commit, mustHaveChanged } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { isConflict } from "@/core/refusal";
import type { BuildStore } from "../releases/store";
import { mostBytes } from "./file-quotas";
import { notBeingRemoved, removal } from "./remove-files";
import { ticketFiles } from "../schema/tickets";

/** So many at a time; the next turn takes the next. */
const mostAtOnce = 200;

/**
 * Moves files that were kept in the database to the store, one after the other, so that it may be stopped anywhere
 * and taken up again. Until a file is moved it is read where it was.
 */
export async function moveFiles(ctx: Ctx, files: BuildStore): Promise<void> {
  let last = "";
  for (let moved = 0; moved < mostAtOnce; moved += 1) {
    const [file] = await ctx.store.db
      .select({ id: ticketFiles.id, bytes: ticketFiles.bytes })
      .from(ticketFiles)
      .where(and(isNotNull(ticketFiles.bytes), gt(ticketFiles.id, last)))
      .orderBy(asc(ticketFiles.id))
      .limit(1);
    if (!file?.bytes || !(await files.hasSpace(mostBytes))) return;
    await move(ctx, files, { id: file.id, bytes: file.bytes }).catch((error: unknown) => {
      // erased meanwhile, or its bytes are another's that are being removed: the next turn looks again
      if (!isConflict(error)) throw error;
    });
    last = file.id;
  }
}

async function move(
  ctx: Ctx,
  files: BuildStore,
  { id, bytes }: { id: string; bytes: Buffer },
): Promise<void> {
  const { db } = ctx.store;
  const address = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  await commit(ctx.store, [
    db
      .update(ticketFiles)
      .set({ address })
      .where(and(eq(ticketFiles.id, id), notBeingRemoved(ctx, address))),
    mustHaveChanged("conflict"),
  ]);
  await files.keep(address, new Blob([new Uint8Array(bytes)]));
  const moved = db.update(ticketFiles).set({ bytes: null }).where(eq(ticketFiles.id, id));
  try {
    await commit(ctx.store, [moved, mustHaveChanged("conflict")]);
  } catch (error) {
    if (!isConflict(error)) throw error;
    await commit(ctx.store, [removal(ctx, address)]);
    ctx.wake();
  }
}
