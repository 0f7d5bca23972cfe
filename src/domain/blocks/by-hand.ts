import { desc, eq } from "drizzle-orm";
import type { BlockKind } from "@/contract/blocks";
import { audit, type ByHand } from "@/core/audit";
import { commit, mustHaveChanged } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { maskEmail } from "../mail/mask";
import { blocks } from "../schema/blocks";
import { storedKey } from "./blocked";

export type Block = typeof blocks.$inferSelect;

/** What staff want blocked: a device by its keyed hash, anything else by its normalised value. */
export type WantedBlock = { kind: BlockKind; value: string; label: string };

/** Blocks it from now on. Refuses with `block_exists`. */
export async function addBlock(ctx: Ctx, { kind, value, label }: WantedBlock, by: ByHand): Promise<Block> {
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
    audit(ctx, { ...by, action: "block.added", subject: row.id, detail: told(row) }),
  ]);
  return row;
}

/** Every block, newest first. */
export const allBlocks = (ctx: Ctx): Promise<Block[]> =>
  ctx.store.db.select().from(blocks).orderBy(desc(blocks.id));

/** Lifts a block. Refuses with `block_unknown`. */
export async function removeBlock(ctx: Ctx, id: string, by: ByHand): Promise<void> {
  const [block] = await ctx.store.db.select().from(blocks).where(eq(blocks.id, id));
  await commit(ctx.store, [
    ctx.store.db.delete(blocks).where(eq(blocks.id, id)),
    mustHaveChanged("block_unknown"),
    audit(ctx, { ...by, action: "block.removed", subject: id, detail: block ? told(block) : {} }),
  ]);
}

/** The detail in the audit log, which is kept for good. */
const told = ({ kind, label }: Pick<Block, "kind" | "label">) => ({
  kind,
  what: kind === "email" ? maskEmail(label) : label,
});
