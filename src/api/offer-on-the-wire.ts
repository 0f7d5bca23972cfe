import type { Offer } from "@/contract/offers";
import type { OfferFor } from "@/domain/offers/list";

/** An offer as the API returns it and built pages contain it. */
export const offerOnTheWire = ({ id, name, amount, currency, days, devices, adds }: OfferFor): Offer => ({
  id,
  name,
  amount,
  currency,
  days,
  devices,
  recurring: null,
  ...(adds === null ? {} : { adds }),
});
