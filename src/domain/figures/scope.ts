import { eq, isNotNull, sql } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { oldestFirst } from "../offers/list";
import { offers } from "../schema/offers";

/** The `about` of the sums of everything or of one offer. */
export const aboutOf = (offer: string | undefined): string => (offer === undefined ? "" : `offer:${offer}`);

export type NamedOffer = { id: string; name: string; retired: boolean };

/** Every offer that the shop ever made, the oldest first. */
export async function everyOffer(ctx: Ctx): Promise<NamedOffer[]> {
  const { id, name, retiredAt } = offers;
  const rows = await ctx.store.db
    .select({ id, name, retiredAt })
    .from(offers)
    .orderBy(...oldestFirst);
  return rows.map((row) => ({ id: row.id, name: row.name, retired: row.retiredAt !== null }));
}

export async function expectOffer(ctx: Ctx, offer: string): Promise<void> {
  const [known] = await ctx.store.db.select({ id: offers.id }).from(offers).where(eq(offers.id, offer));
  if (!known) throw new Refusal("invalid_field", { field: "offer", sentence: "There is no such offer." });
}

/** Whether any offer ever recurred. */
export async function hasRecurringOffers({ store: { db } }: Ctx): Promise<boolean> {
  const found = await db
    .select({ one: sql`1` })
    .from(offers)
    .where(isNotNull(offers.every))
    .limit(1);
  return found.length > 0;
}
