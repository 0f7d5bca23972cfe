import { useQuery } from "@tanstack/react-query";
import { hour } from "@/contract/vocabulary/time";
import { listOffers } from "@/contract/operations/products";
import type { OfferRow } from "@/contract/wire/desk/offers";
import { itemQuery } from "../../../api/desk/collections";

/** Every offer, retired ones too: those are still on licences and in figures. */
export function useOffers(): readonly OfferRow[] {
  const { data } = useQuery({ ...itemQuery(listOffers, { limit: 100 }), staleTime: hour });
  return data?.rows ?? none;
}

const none: readonly OfferRow[] = [];

/** The choices of a filter by offer. */
export const offerChoices = (offers: readonly OfferRow[]) =>
  offers.map(({ id, name, state }) => [id, state === "retired" ? `${name} (retired)` : name] as const);

/** `Team`, `2 × Team`: an offer by its id. */
export function OfferName({ id, quantity = 1 }: { id: string; quantity?: number }) {
  const name = useOffers().find((offer) => offer.id === id)?.name ?? id;
  return <span>{quantity > 1 ? `${quantity} × ${name}` : name}</span>;
}
