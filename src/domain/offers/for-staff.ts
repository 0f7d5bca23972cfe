import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { authorize } from "../permissions";
import type { OfferRow } from "../schema/offers";
import { allOffers } from "./change";
import { firstOffer } from "./first-offer";
import { knownOfferVersion } from "./list";

export type OfferState = "on_sale" | "retired" | "other_currency" | "newer_release";

export type OfferShown = Pick<
  OfferRow,
  "id" | "name" | "amount" | "currency" | "days" | "devices" | "every" | "trialDays"
> & {
  /** The brand's own offer: only its price can be changed. */
  first: boolean;
  state: OfferState;
  /** Null for the brand's own. */
  createdAt: Date | null;
  retiredAt: Date | null;
};

/** Every offer, retired ones too: the brand's own first, then the newest. */
export async function offersShown(ctx: Ctx, actor: Actor): Promise<OfferShown[]> {
  authorize(actor, "offer.read");
  const others = (await allOffers(ctx)).map((offer) => ({
    ...offer,
    first: false,
    state: offerState(ctx, offer),
  }));
  const own = {
    ...(await firstOffer(ctx)),
    first: true,
    state: "on_sale",
    createdAt: null,
    retiredAt: null,
  } as const;
  return [own, ...others.toReversed()];
}

/** An offer as it is now. Refuses with `offer_unknown`. */
export async function offerShown(ctx: Ctx, id: string, actor: Actor): Promise<OfferShown> {
  const found = (await offersShown(ctx, actor)).find((offer) => offer.id === id);
  if (!found) throw new Refusal("offer_unknown", { subject: true });
  return found;
}

function offerState({ currency }: Ctx, offer: OfferRow): OfferState {
  if (offer.retiredAt) return "retired";
  if (offer.offerVersion > knownOfferVersion) return "newer_release";
  return offer.currency === currency ? "on_sale" : "other_currency";
}
