import { useState } from "react";
import type { Offer } from "@/contract/offers";

/** The offer with the chosen id, or the first offer if that is no longer on sale; and a function to choose another. */
export function useChosenOffer(offers: readonly Offer[], first?: string) {
  const [id, choose] = useState(first);
  return [offers.find((offer) => offer.id === id) ?? offers[0], choose] as const;
}
