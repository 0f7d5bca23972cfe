import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { offerOf, type Priced, priceFault } from "@/brand/offer";
import { theBrand } from "@/brand/the-brand";
import { commit, commitIfFirst, mustNotExist } from "@/core/database/commit";
import { ConfigError } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import { offers } from "../schema/offers";
import { knownOfferVersion } from "./list";

/**
 * Puts the brand's offer on sale in a shop that has none, for a start and for set-up: whoever is first. Nothing reads it
 * from the brand afterwards, but that a shop whose currency changed before its first order takes the brand's price again.
 * Refuses ({@link ConfigError}) a price that Stripe would refuse.
 */
export async function beginSelling(ctx: Ctx, brand: Priced = theBrand()): Promise<void> {
  const { db } = ctx.store;
  const { id, name, amount, days, currency } = offerOf(brand, ctx.currency);
  const any = db.select({ id: offers.id, currency: offers.currency }).from(offers);
  const found = await any;
  const isStale = found.some((one) => one.id === id && one.currency !== currency);
  const fault = found.length === 0 || isStale ? priceFault(brand, ctx.currency) : null;
  if (fault !== null) throw new ConfigError(fault);
  if (found.length === 0) {
    await commitIfFirst(ctx.store, [
      mustNotExist(any.limit(1), "conflict"),
      db
        .insert(offers)
        .values({ id, name, amount, currency, days, offerVersion: knownOfferVersion, createdAt: ctx.now() }),
    ]);
  } else if (isStale) {
    const stale = and(eq(offers.id, id), ne(offers.currency, currency), isNull(offers.retiredAt));
    const changed = { amount, currency, version: sql`${offers.version} + 1` };
    await commit(ctx.store, [db.update(offers).set(changed).where(stale)]);
  }
}
