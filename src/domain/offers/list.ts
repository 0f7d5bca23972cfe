import { and, asc, eq, isNull, lte, sql } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { readLifetimeDevices } from "../licences/changes/redeem";
import { hadTrial, type Shopper } from "./trials-taken";
import { type OfferRow, offers } from "../schema/offers";

/** What a buyer chooses from. */
export type Offer = Pick<
  OfferRow,
  "id" | "name" | "amount" | "currency" | "days" | "devices" | "every" | "trialDays"
>;

/** The offers on sale, in the order they were added. */
export const offersOnSale = (ctx: Ctx): Promise<Offer[]> =>
  ctx.store.db
    .select()
    .from(offers)
    .where(onSale(ctx))
    .orderBy(...oldestFirst);

/** Of those that were added in the same millisecond, a story's clock standing still, the first stored. */
export const oldestFirst = [asc(offers.createdAt), sql`rowid`];

/** The offers on sale that are paid every month or year, as Stripe's page lets customers switch between them. */
export async function recurringOffersOnSale(ctx: Ctx) {
  const onSale = await offersOnSale(ctx);
  return onSale.flatMap(({ id: offer, name: product, amount, currency, every, devices }) =>
    every === null ? [] : [{ offer, product, amount, currency, every, devices }],
  );
}

/** An offer, and whether it would add anything to an account's licences; null without an account. */
export type OfferFor = Offer & { adds: boolean | null };

/** The offers on sale to a shopper, or to everybody. */
export async function offersFor(ctx: Ctx, shopper: Shopper | null): Promise<OfferFor[]> {
  const onSale = await offersOnSale(ctx);
  const hasTrials = onSale.some(({ trialDays }) => trialDays !== null);
  const isTried = shopper !== null && hasTrials && (await hadTrial(ctx, shopper));
  const offered = onSale.map((one) => ({ ...one, trialDays: isTried ? null : one.trialDays }));
  const accountId = shopper?.accountId ?? null;
  if (accountId === null) return offered.map((one) => ({ ...one, adds: null }));
  const forLife = await readLifetimeDevices(ctx, accountId);
  // no subscription is sold to the holder of a lifetime
  return offered.map((one) => ({
    ...one,
    adds: forLife === 0 || (one.every === null && one.devices > forLife),
  }));
}

/** An offer by its id; by default, the first. Refuses an unknown or retired offer, or one in another currency. */
export async function offerToBuy(ctx: Ctx, id: string | undefined): Promise<Offer> {
  const named = id === undefined ? undefined : eq(offers.id, id);
  const [found] = await ctx.store.db
    .select()
    .from(offers)
    .where(and(named, onSale(ctx)))
    .orderBy(...oldestFirst)
    .limit(1);
  if (!found) throw new Refusal("offer_unknown", { field: "offer" });
  return found;
}

/**
 * An offer whose licence can be had without a payment. Refuses as {@link offerToBuy}, and a recurring one: its licence
 * runs for what is paid, so without a payment it would never end.
 */
export async function offerToGive(ctx: Ctx, id: string): Promise<Offer> {
  const offer = await offerToBuy(ctx, id);
  if (offer.every !== null) {
    const sentence = "A subscription can't be given away. Choose an offer that's paid once.";
    throw new Refusal("invalid_field", { field: "offer", sentence });
  }
  return offer;
}

/** The newest version of an offer that this release can sell; raised with each new feature of offers. */
export const knownOfferVersion = 1;

export const onSale = ({ currency }: Ctx) =>
  and(isNull(offers.retiredAt), eq(offers.currency, currency), lte(offers.offerVersion, knownOfferVersion));
