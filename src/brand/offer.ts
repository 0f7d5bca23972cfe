import { minorUnits } from "@/contract/vocabulary/money";

type Offer = { id: string; name: string; price: string; days: number | null };

/** The brand's own offer in that currency; a start has made sure that its price can be read in the shop's. */
export function offerOf({ offer }: { offer: Offer }, currency: string) {
  const { price, ...rest } = offer;
  return { ...rest, amount: minorUnits(price, currency) ?? 0, currency };
}
