import { useState } from "react";
import type { Offer } from "@/contract/wire/offers";

/** A subscription is bought for oneself, one at a time. */
export const isForSeveral = ({ recurring }: Offer) => recurring === null;

/**
 * The offer that was chosen, or until then the one with the id `first`; the first of all if that is not on sale. And a
 * function to choose.
 */
export function useChosenOffer(offers: readonly Offer[], first?: string) {
  const [id = first, choose] = useState<string>();
  return [offers.find((offer) => offer.id === id) ?? offers[0], choose] as const;
}
