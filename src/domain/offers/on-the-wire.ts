import type { Offer } from "@/contract/wire/offers";
import type { OfferFor } from "./list";

/** An offer as the API returns it and built pages contain it. */
export const offerOnTheWire = ({
  id,
  name,
  amount,
  currency,
  days,
  devices,
  level,
  includes,
  features,
  adds,
  ...offer
}: OfferFor): Offer => ({
  id,
  name,
  amount,
  currency,
  days,
  devices,
  level,
  includes,
  features,
  recurring: recurringOf(offer),
  ...(adds === null ? {} : { adds }),
});

export const recurringOf = ({
  every,
  trialDays,
}: Pick<OfferFor, "every" | "trialDays">): Offer["recurring"] =>
  every === null ? null : { interval: every, trial_days: trialDays };
