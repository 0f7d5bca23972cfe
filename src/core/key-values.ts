import { eq, type SQL } from "drizzle-orm";
import type { Write } from "./commit";
import type { Ctx } from "./context";
import { keyValues } from "./schema";

/** Stores a fact about this installation under its name, replacing an earlier value. */
export const keepFact = (ctx: Ctx, name: string, value: string | SQL): Write =>
  ctx.store.db
    .insert(keyValues)
    .values({ name, value })
    .onConflictDoUpdate({ target: keyValues.name, set: { value } });

/** The fact stored under a name, or null. */
export async function factOf(ctx: Pick<Ctx, "store">, name: string): Promise<string | null> {
  const [row] = await ctx.store.db.select().from(keyValues).where(eq(keyValues.name, name));
  return row?.value ?? null;
}

/** The name of the fact that holds this shop's id: 12 hexadecimal digits, created with its database. */
export const shopIdFact = "shop_id";
export const newShopId = () => crypto.randomUUID().slice(-12);
