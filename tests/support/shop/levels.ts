import { levels } from "@/domain/schema/levels";
import type { Stage } from "./stage";

/** Gives the shop further levels above its first, in this order. */
export async function addLevels(
  { ctx }: Pick<Stage, "ctx">,
  ...made: ({ id: string } & Partial<typeof levels.$inferInsert>)[]
): Promise<void> {
  await ctx.store.db
    .insert(levels)
    .values(made.map((one, at) => ({ name: one.id, place: 2 + at, createdAt: ctx.now(), ...one })));
}
