import { desc, eq } from "drizzle-orm";
import type { BlockKind } from "@/contract/blocks";
import type { By } from "@/core/actor";
import { record } from "@/core/audit";
import { commit, mustHaveChanged } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { blocks } from "../schema/blocks";
import { authorize } from "../permissions";
import { storedKey } from "./find";

export type Block = typeof blocks.$inferSelect;

/** What staff want blocked: a device by its keyed hash, anything else by its normalised value. */
export type WantedBlock = { kind: BlockKind; value: string; label: string };

/** Blocks a value from now on. Refuses with `block_exists`. */
export async function addBlock(ctx: Ctx, { kind, value, label }: WantedBlock, by: By): Promise<Block> {
  authorize(by, "block.add");
  const row = {
    id: newId(),
    kind,
    key: storedKey(kind, value),
    label,
    reason: by.reason,
    createdAt: ctx.now(),
  };
  await commit(ctx.store, [
    ctx.store.db.insert(blocks).values(row).onConflictDoNothing({ target: blocks.key }),
    mustHaveChanged("block_exists"),
    record(ctx, { ...by, action: "block.added", subject: row.id, detail: { kind } }),
  ]);
  return row;
}

/** Every block, newest first. */
export const allBlocks = (ctx: Ctx): Promise<Block[]> =>
  ctx.store.db.select().from(blocks).orderBy(desc(blocks.id));

/** Lifts a block. Refuses with `block_unknown`. */
export async function removeBlock(ctx: Ctx, id: string, by: By): Promise<void> {
  authorize(by, "block.remove");
  const [block] = await ctx.store.db.select().from(blocks).where(eq(blocks.id, id));
  await commit(ctx.store, [
    ctx.store.db.delete(blocks).where(eq(blocks.id, id)),
    mustHaveChanged("block_unknown"),
    record(ctx, { ...by, action: "block.removed", subject: id, detail: block ? { kind: block.kind } : {} }),
  ]);
}
