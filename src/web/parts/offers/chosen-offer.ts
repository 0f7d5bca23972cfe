import { useState } from "react";
import type { Offer } from "@/contract/offers";

/** The offer with the chosen id, or the first if that one is no longer sold; and how to choose another. */
export function useChosenOffer(offers: readonly Offer[], first?: string) {
  const [id, choose] = useState(first);
  return [offers.find((offer) => offer.id === id) ?? offers[0], choose] as const;
}

export function termText({ days }: Pick<Offer, "days">): string {
  if (days === null) return "Lifetime";
  return days === 1 ? "1 day" : `${days} days`;
}
