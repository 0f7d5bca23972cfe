import type { By } from "@/core/actor";
import { record } from "@/core/audit";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { type Moved, movedFact } from "@/core/database";
import { factOf, forgetFact, keepFact } from "@/core/key-values";
import { authorize } from "../permissions";

/** Where the shop was moved to from this database; null if nowhere. */
export const movedTo = async (ctx: Ctx): Promise<Moved | null> =>
  JSON.parse((await factOf(ctx, movedFact)) ?? "null") as Moved | null;

/**
 * Marks this database as left, so that no shop starts on it. `to` is the other database's address, without its token.
 */
export async function noteMoved(ctx: Ctx, to: string, by: By): Promise<void> {
  authorize(by, "shop.move");
  await commit(ctx.store, [
    keepFact(ctx, movedFact, JSON.stringify({ to, at: ctx.now().toISOString() } satisfies Moved)),
    record(ctx, { ...by, action: "shop.moved", subject: to }),
  ]);
}

/** Takes this database into use again after the shop was moved away. */
export async function goOnHere(ctx: Ctx, { to }: Moved, by: By): Promise<void> {
  authorize(by, "shop.take_over");
  await commit(ctx.store, [
    forgetFact(ctx, movedFact),
    record(ctx, { ...by, action: "shop.taken_over", subject: to }),
  ]);
}
