import { eq } from "drizzle-orm";
import type { Write } from "./commit";
import type { Ctx } from "./context";
import { installation } from "./schema";

/** Keeps a fact about this installation under its name, in place of what was kept there. */
export const keepFact = (ctx: Ctx, name: string, value: string): Write =>
  ctx.store.db
    .insert(installation)
    .values({ name, value })
    .onConflictDoUpdate({ target: installation.name, set: { value } });

/** What is kept under a name; null where nothing is. */
export async function factOf(ctx: Ctx, name: string): Promise<string | null> {
  const [row] = await ctx.store.db.select().from(installation).where(eq(installation.name, name));
  return row?.value ?? null;
}
