import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { type MovedDatabase, movedFact } from "@/core/database/database";
import { factOf, forgetFact, keepFact } from "@/core/database/key-values";
import { authorize } from "../permissions";

/** Where the shop was moved to from this database; null if nowhere. */
export const movedTo = async (ctx: Ctx): Promise<MovedDatabase | null> =>
  JSON.parse((await factOf(ctx, movedFact)) ?? "null") as MovedDatabase | null;

/**
 * Marks this database as left, so that no shop starts on it. `to` is the other database's address, without its token.
 */
export async function noteMoved(ctx: Ctx, to: string, by: By): Promise<void> {
  authorize(by, "shop.move");
  await commit(ctx.store, [
    keepFact(ctx, movedFact, JSON.stringify({ to, at: ctx.now().toISOString() } satisfies MovedDatabase)),
    record(ctx, { ...by, action: "shop.moved", subject: to }),
  ]);
}

/** Takes this database into use again after the shop was moved away. */
export async function resumeHere(ctx: Ctx, { to }: MovedDatabase, by: By): Promise<void> {
  authorize(by, "shop.take_over");
  await commit(ctx.store, [
    forgetFact(ctx, movedFact),
    record(ctx, { ...by, action: "shop.taken_over", subject: to }),
  ]);
}
