import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { factOf, keepFact } from "@/core/database/key-values";
import { ConfigError } from "@/core/settings/config";

const fact = "stripe_simulated";

/** Notes for good that sales in this database were paid at a simulator. */
export const noteSimulated = (ctx: Ctx): Promise<void> =>
  commit(ctx.store, [keepFact(ctx, fact, ctx.now().toISOString())]);

/** Refuses ({@link ConfigError}) a database whose sales were paid at a simulator. */
export async function expectReal(ctx: Pick<Ctx, "store">): Promise<void> {
  if ((await factOf(ctx, fact)) === null) return;
  throw new ConfigError(
    "This database is a demo's, whose sales nobody has paid: use another folder or database for a real shop.",
  );
}
