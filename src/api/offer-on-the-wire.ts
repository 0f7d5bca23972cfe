import type { Offer } from "@/contract/offers";
import type { OfferFor } from "@/domain/offers/list";

/** An offer as the API returns it and built pages contain it. */
export const offerOnTheWire = ({
  id,
  name,
  amount,
  currency,
  days,
  devices,
  every,
  trialDays,
  adds,
}: OfferFor): Offer => ({
  id,
  name,
  amount,
  currency,
  days,
  devices,
  recurring: every === null ? null : { interval: every, trial_days: trialDays },
  ...(adds === null ? {} : { adds }),
});
