import { and, desc, eq, lt } from "drizzle-orm";
import type { BlockKind } from "@/contract/vocabulary/kinds";
import type { Actor, By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import type { Place } from "@/core/database/pages";
import { Refusal } from "@/core/base/refusal";
import { blocks } from "../schema/blocks";
import { authorize, expectConfirmed } from "../permissions";
import { storedKey } from "./find";

export type Block = typeof blocks.$inferSelect;

/** What staff want blocked: a computer by its keyed hash, anything else by its normalised value. */
export type WantedBlock = {
  kind: BlockKind;
  value: string;
  label: string;
};

/** Blocks a value from now on. Refuses with `block_exists`. */
export async function addBlock(ctx: Ctx, { kind, value, label }: WantedBlock, by: By): Promise<Block> {
  authorize(by, "block.add");
  expectConfirmed(ctx, by, "block.add");
  const row = {
    id: newId(),
    kind,
    key: storedKey(kind, value),
    label,
    reason: by.reason,
    createdAt: ctx.now(),
  };
  await commit(ctx.store, [
    ctx.store.db.insert(blocks).values(row).onConflictDoNothing(),
    mustHaveChanged("block_exists"),
    record(ctx, { ...by, action: "block.added", subject: row.id, detail: { kind } }),
  ]);
  return row;
}

/** Every block, newest first. */
export const allBlocks = (ctx: Ctx): Promise<Block[]> =>
  ctx.store.db.select().from(blocks).orderBy(desc(blocks.id));

type Page = { kind?: BlockKind | undefined; after: Place | null; most: number };

/** A page of the blocks, newest first. */
export async function blocksShown(ctx: Ctx, { kind, after, most }: Page, actor: Actor): Promise<Block[]> {
  authorize(actor, "block.read");
  return ctx.store.db
    .select()
    .from(blocks)
    .where(
      and(
        kind === undefined ? undefined : eq(blocks.kind, kind),
        // ids are hexadecimal
        lt(blocks.id, after?.id ?? "g"),
      ),
    )
    .orderBy(desc(blocks.id))
    .limit(most);
}

/** Lifts a block. Refuses with `block_unknown`. */
export async function removeBlock(ctx: Ctx, id: string, by: By): Promise<Block> {
  authorize(by, "block.remove");
  const [block] = await ctx.store.db.select().from(blocks).where(eq(blocks.id, id));
  if (!block) throw new Refusal("block_unknown");
  expectConfirmed(ctx, by, "block.remove");
  await commit(ctx.store, [
    ctx.store.db.delete(blocks).where(eq(blocks.id, id)),
    mustHaveChanged("block_unknown"),
    record(ctx, { ...by, action: "block.removed", subject: id, detail: { kind: block.kind } }),
  ]);
  return block;
}
