import type { Write } from "./commit";
import type { Ctx } from "./context";
import { factOf, forgetFact } from "./key-values";
import { Refusal } from "./refusal";

/** The name of the fact that a database was restored from a backup and is not yet the shop. */
export const copyFact = "restored_copy";

/**
 * The shop from which the copy was made may still be running. So until `shop take-over`, a copy sends nothing and
 * changes nothing outside its database. ISO 8601: `made`, when the backup was made; `at`, when it was restored.
 */
export type RestoredCopy = { made: string; at: string };

/** The copy's dates if this database is a restored copy; null if it is the shop itself. */
export const restoredCopy = async (ctx: Pick<Ctx, "store">): Promise<RestoredCopy | null> =>
  JSON.parse((await factOf(ctx, copyFact)) ?? "null") as RestoredCopy | null;

const changesNothing =
  "This is a restored copy, which changes nothing outside its database. If it is the shop from now on, stop the old one for good and run shop take-over.";

/** The refusal that staff read on a restored copy. Buyers read the shop's own sentence, that nothing can be bought here. */
export const refusedByCopy = (): Refusal => new Refusal("copy", { sentence: changesNothing });

/** Refuses with `copy` on a restored copy. */
export async function expectNoCopy(ctx: Ctx): Promise<void> {
  if (await restoredCopy(ctx)) throw refusedByCopy();
}

/** The write with which a copy becomes the shop. */
export const noLongerCopy = (ctx: Ctx): Write => forgetFact(ctx, copyFact);
