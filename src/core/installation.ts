import type { Write } from "./commit";
import type { Ctx } from "./context";
import { installation } from "./tables";

/** Keeps a fact about this installation under its name, in place of what was kept there. */
export const keepFact = (ctx: Ctx, name: string, value: string): Write =>
  ctx.store.db
    .insert(installation)
    .values({ name, value })
    .onConflictDoUpdate({ target: installation.name, set: { value } });
