import { brand } from "@/brand/brand";
import { offerOf } from "@/brand/offer";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, retryOnConflict } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { factOf, replaceFact } from "@/core/database/key-values";
import { expectPrice } from "../bills/bill";
import type { OfferRow } from "../schema/offers";

/** The price that owners set for the brand's own offer. It counts only in the currency that it was set in. */
const fact = "first_offer_price";
type Price = { amount: number; currency: string };

/** The brand's own offer, in the shop's currency: at the price that owners gave it, else at the brand's. */
export const firstOffer = async (
  ctx: Ctx,
): Promise<
  Pick<OfferRow, "id" | "name" | "amount" | "currency" | "days" | "devices" | "every" | "trialDays">
> => pricedBy(ctx, await factOf(ctx, fact));

function pricedBy({ currency }: Ctx, kept: string | null) {
  const price = kept === null ? null : (JSON.parse(kept) as Price);
  const own = offerOf(brand, currency);
  const amount = price?.currency === currency ? price.amount : own.amount;
  return { ...own, amount, devices: 1, every: null, trialDays: null };
}

/** Changes the price of the brand's own offer for later checkouts. The caller has checked the permission. */
export const changeFirstPrice = (ctx: Ctx, amount: number, by: By) => {
  expectPrice(amount, ctx.currency);
  return retryOnConflict(async () => {
    const kept = await factOf(ctx, fact);
    const { id, ...before } = pricedBy(ctx, kept);
    const after = { ...before, amount };
    const price: Price = { amount, currency: ctx.currency };
    await commit(ctx.store, [
      ...replaceFact(ctx, fact, { before: kept, after: JSON.stringify(price) }),
      record(ctx, { ...by, action: "offer.changed", subject: id, detail: { before, after } }),
    ]);
    return after;
  });
};
