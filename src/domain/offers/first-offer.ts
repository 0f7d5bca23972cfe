import { and, eq, isNull, ne } from "drizzle-orm";
import { offerOf, type Priced, offerFault } from "@/brand/offer";
import { brand as shown } from "@/brand/brand";
import { theBrand } from "@/brand/the-brand";
import { theShop } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commitIfFirst, mustHaveChanged, mustNotExist } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { ConfigError } from "@/core/settings/config";
import { levels } from "../schema/levels";
import { offers } from "../schema/offers";
import { knownOfferVersion } from "./list";

/**
 * Puts the brand's offer on sale, with its level, in a shop that has none, for a start and for set-up: whoever is first. Nothing reads it
 * from the brand afterwards, but that a shop whose currency changed before its first order takes the brand's price again
 * for an offer that nobody has changed. Refuses ({@link ConfigError}) a price that Stripe would refuse.
 */
export async function beginSelling(ctx: Ctx, brand: Priced = theBrand()): Promise<void> {
  const { db } = ctx.store;
  const firstLevel = { id: shown.premium.type, name: shown.premium.name };
  const { id, name, amount, days, currency } = offerOf(brand, ctx.currency);
  const untouched = and(
    eq(offers.id, id),
    eq(offers.version, 0),
    ne(offers.currency, currency),
    isNull(offers.retiredAt),
  );
  const any = db.select({ id: offers.id }).from(offers).limit(1);
  const [stale] = await db.select().from(offers).where(untouched);
  if (!stale && (await any).length > 0) return;
  const fault = offerFault(brand, ctx.currency);
  if (fault !== null) throw new ConfigError(fault);
  if (!stale) {
    await commitIfFirst(ctx.store, [
      mustNotExist(any, "conflict"),
      db
        .insert(levels)
        .values({ ...firstLevel, place: 1, isFirst: true, createdAt: ctx.now() })
        .onConflictDoNothing(),
      db.insert(offers).values({
        id,
        name,
        level: firstLevel.id,
        amount,
        currency,
        days,
        offerVersion: knownOfferVersion,
        createdAt: ctx.now(),
      }),
    ]);
    return;
  }
  const { level, every, trialDays, devices } = stale;
  const before = { name: stale.name, amount: stale.amount, currency: stale.currency, days: stale.days };
  const kept = { level, devices, every, trialDays };
  await commitIfFirst(ctx.store, [
    db.update(offers).set({ amount, currency }).where(untouched),
    mustHaveChanged("conflict"),
    record(ctx, {
      actor: theShop,
      action: "offer.changed",
      subject: id,
      detail: { before: { ...before, ...kept }, after: { ...before, ...kept, amount, currency } },
    }),
  ]);
}
