import { and, eq, type SQL } from "drizzle-orm";
import { mustHaveChanged, type Write } from "./commit";
import type { Ctx } from "./context";
import { keyValues } from "./schema";

/** Stores a fact about this installation under its name, replacing an earlier value. */
export const keepFact = (ctx: Ctx, name: string, value: string | SQL): Write =>
  ctx.store.db
    .insert(keyValues)
    .values({ name, value })
    .onConflictDoUpdate({ target: keyValues.name, set: { value } });

/** The writes that replace a fact; `before` is its value as read, or null. Their commit refuses with `conflict` if it has changed. */
export const replaceFact = (
  { store: { db } }: Pick<Ctx, "store">,
  name: string,
  { before, after: value }: { before: string | null; after: string },
): Write[] => [
  before === null
    ? db.insert(keyValues).values({ name, value }).onConflictDoNothing()
    : db
        .update(keyValues)
        .set({ value })
        .where(and(eq(keyValues.name, name), eq(keyValues.value, before))),
  mustHaveChanged("conflict"),
];

/** The fact stored under a name, or null. */
export async function factOf(ctx: Pick<Ctx, "store">, name: string): Promise<string | null> {
  const [row] = await ctx.store.db.select().from(keyValues).where(eq(keyValues.name, name));
  return row?.value ?? null;
}

export const forgetFact = ({ store }: Pick<Ctx, "store">, name: string): Write =>
  store.db.delete(keyValues).where(eq(keyValues.name, name));

/** The name of the fact that holds this shop's id: 12 hexadecimal digits, created with its database. */
export const shopIdFact = "shop_id";
export const newShopId = () => crypto.randomUUID().slice(-12);
