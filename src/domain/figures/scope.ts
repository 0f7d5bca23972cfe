import { and, asc, eq, gt, min } from "drizzle-orm";
import { brand } from "@/brand/brand";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { salesSums } from "../schema/figures";
import { offers } from "../schema/offers";
import type { About } from "./sums";

/** The `about` of the sums of everything or of one offer. */
export const aboutOf = (offer: string | undefined): About => [offer === undefined ? "" : `offer:${offer}`];

export type NamedOffer = { id: string; name: string; retired: boolean };

/** Every offer that the shop ever made, the brand's first. */
export async function everyOffer(ctx: Ctx): Promise<NamedOffer[]> {
  const { id, name, retiredAt } = offers;
  const rows = await ctx.store.db.select({ id, name, retiredAt }).from(offers).orderBy(asc(offers.createdAt));
  return [
    { id: brand.offer.id, name: brand.offer.name, retired: false },
    ...rows.map((row) => ({ id: row.id, name: row.name, retired: row.retiredAt !== null })),
  ];
}

export async function expectOffer(ctx: Ctx, offer: string): Promise<void> {
  if (offer === brand.offer.id) return;
  const [known] = await ctx.store.db.select({ id: offers.id }).from(offers).where(eq(offers.id, offer));
  if (!known) throw new Refusal("invalid_field", { field: "offer", sentence: "There is no such offer" });
}

export async function expectCurrency(ctx: Ctx, currency: string): Promise<void> {
  if (currency === ctx.currency || (await knownCurrencies(ctx)).includes(currency)) return;
  throw new Refusal("invalid_field", { field: "currency", sentence: "Nothing was sold in this currency" });
}

/** The shop's currency and those it has sums in. Each step finds the next one in the index. */
export async function knownCurrencies({ store, livemode, currency }: Ctx): Promise<string[]> {
  const known = [currency];
  for (let last = ""; ;) {
    const [next] = await store.db
      .select({ currency: min(salesSums.currency) })
      .from(salesSums)
      .where(and(eq(salesSums.livemode, livemode), gt(salesSums.currency, last)));
    if (!next?.currency) return [...new Set(known)];
    known.push(next.currency);
    last = next.currency;
  }
}
