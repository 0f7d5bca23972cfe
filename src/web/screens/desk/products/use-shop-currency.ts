import { useQuery } from "@tanstack/react-query";
import { offersQuery } from "../../../api/offers";

/** The currency that the shop sells in; null until that is known. */
export function useShopCurrency(): string | null {
  const { data: offers } = useQuery(offersQuery);
  return offers?.[0]?.currency ?? null;
}
