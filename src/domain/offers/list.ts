import { and, asc, eq, isNotNull, isNull, lte, notInArray, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { readHoldings, useOf } from "../licences/entitlement/holdings";
import { hadTrial, type Shopper } from "./trials-taken";
import { containedIn, featuresOf, type LevelName } from "../levels/ladder";
import { ladderOf, levelToGive } from "../levels/list";
import { levels } from "../schema/levels";
import { type OfferRow, offers } from "../schema/offers";

/** What a buyer chooses from. */
export type Offer = Pick<
  OfferRow,
  "id" | "name" | "amount" | "currency" | "days" | "devices" | "every" | "trialDays"
> & { level: LevelName };

/** The offers on sale that everybody sees, in the order they were added. */
export const offersOnSale = (ctx: Ctx): Promise<Offer[]> => soldBy(ctx, eq(offers.hidden, false));

const soldBy = async (ctx: Ctx, which: SQL): Promise<Offer[]> => {
  const rows = await ctx.store.db
    .select({ offer: offers, levelName: levels.name })
    .from(offers)
    .leftJoin(levels, eq(levels.id, offers.level))
    .where(and(which, onSale(ctx)))
    .orderBy(...oldestFirst);
  return rows.map(({ offer: { level: id, ...offer }, levelName }) => ({
    ...offer,
    level: { id, name: levelName ?? id },
  }));
};

/** Of those that were added in the same millisecond, a story's clock standing still, the first stored. */
export const oldestFirst = [asc(offers.createdAt), sql`offers.rowid`];

/** The offers on sale that are paid every month or year, as Stripe's page lets customers switch between them. */
export async function recurringOffersOnSale(ctx: Ctx) {
  const onSale = await offersOnSale(ctx);
  return onSale.flatMap(({ id: offer, name: product, level, amount, currency, every, devices }) =>
    every === null
      ? []
      : [{ offer, product, level: level.id, levelName: level.name, amount, currency, every, devices }],
  );
}

/**
 * An offer with what its level contains, and whether it would add anything to an account's licences; null without an
 * account.
 */
export type OfferFor = Offer & { includes: string[]; features: string[]; adds: boolean | null };

/** The offers on sale to a shopper, or to everybody; `id`: that one alone, hidden or not. */
export async function offersFor(ctx: Ctx, shopper: Shopper | null, id?: string): Promise<OfferFor[]> {
  const onSale = id === undefined ? await offersOnSale(ctx) : await soldBy(ctx, eq(offers.id, id));
  const hasTrials = onSale.some(({ trialDays }) => trialDays !== null);
  const isTried = shopper !== null && hasTrials && (await hadTrial(ctx, shopper));
  const accountId = shopper?.accountId ?? null;
  const holdings = accountId === null ? null : await readHoldings(ctx, accountId);
  const ladder = holdings?.ladder ?? (await ladderOf(ctx));
  return onSale.map((one) => ({
    ...one,
    trialDays: isTried ? null : one.trialDays,
    includes: containedIn(ladder, one.level.id),
    features: featuresOf(ladder, one.level.id),
    adds: holdings && useOf(ctx, holdings, { ...one, level: one.level.id }) !== "adds nothing",
  }));
}

/** An offer by its id, hidden or not; by default, the first that everybody sees. Refuses an unknown or retired offer, or one in another currency. */
export async function offerToBuy(ctx: Ctx, id: string | undefined): Promise<Offer> {
  const [found] = await soldBy(ctx, id === undefined ? eq(offers.hidden, false) : eq(offers.id, id));
  if (!found) throw new Refusal("offer_unknown", { field: "offer" });
  return found;
}

/**
 * An offer whose licence can be had without a payment, of its own level or of another. Refuses as {@link offerToBuy} and
 * {@link levelToGive}, and a recurring one: its licence runs for what is paid, so without a payment it would never end.
 */
export async function offerToGive(ctx: Ctx, id: string, level?: string): Promise<Offer> {
  const offer = await offerToBuy(ctx, id);
  if (offer.every !== null) {
    const sentence = "A subscription can't be given away. Choose an offer that's paid once.";
    throw new Refusal("invalid_field", { field: "offer", sentence });
  }
  return level === undefined ? offer : { ...offer, level: await levelToGive(ctx, level) };
}

/** The newest version of an offer that this release can sell; raised with each new feature of offers. */
export const knownOfferVersion = 1;

/** Those of a retired level are not. */
export const onSale = ({ currency, store: { db } }: Ctx) =>
  and(
    isNull(offers.retiredAt),
    eq(offers.currency, currency),
    lte(offers.offerVersion, knownOfferVersion),
    notInArray(offers.level, db.select({ id: levels.id }).from(levels).where(isNotNull(levels.retiredAt))),
  );
