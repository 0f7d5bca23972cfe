import { z } from "zod";
import { mostDevices } from "../../vocabulary/devices";
import { instant } from "../envelope";
import { interval, recurring } from "../offers";
import { oneLine } from "../../vocabulary/plain-words";
import { mostPrice, mostOfAnOffersName, mostTermDays, mostTrialDays } from "../../vocabulary/bounds";
import { pageFields } from "./pages";
import { withReason } from "./reason";

/**
 * `other_currency`: its price is in a currency that the shop no longer sells in. `newer_release`: only a newer release
 * can sell it.
 */
const offerStates = ["on_sale", "retired", "other_currency", "newer_release"] as const;

export const offerRow = z.object({
  id: z.string(),
  name: z.string(),
  amount: z.int().describe("The price of one license, in minor units"),
  currency: z.string(),
  days: z.int().nullable().describe("How long it runs from redemption; null: lifetime"),
  devices: z.int().describe("How many computers can use it at a time"),
  recurring: recurring.nullable().describe("null: paid once"),
  first: z.boolean().describe("The brand's own offer: only its price can be changed"),
  state: z.enum(offerStates),
  created_at: instant.nullable().describe("null: the brand's own offer"),
  retired_at: instant.nullable(),
});
export type OfferRow = z.infer<typeof offerRow>;

export const offersQuery = z.strictObject({
  ...pageFields,
  state: z.enum(["on_sale", "retired"]).optional(),
});

const name = z
  .string()
  .max(500)
  .overwrite(oneLine)
  .refine(
    (text) => text.length >= 1 && text.length <= mostOfAnOffersName,
    `must have 1 to ${mostOfAnOffersName} characters`,
  );
const amount = z.int().min(1).max(mostPrice);
const days = z.int().min(1).max(mostTermDays).nullable();
const devices = z.int().min(1).max(mostDevices);
const every = interval.nullable();
const trialDays = z.int().min(1).max(mostTrialDays).nullable();

export const offerBody = withReason({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, "must be 1 to 32 lowercase letters, digits and dashes")
    .describe("Appears in links and orders, so it can't be changed"),
  name,
  amount,
  days: days.default(null),
  devices: devices.default(1),
  every: every.default(null).describe("How often it is paid; null: once"),
  trial_days: trialDays.default(null).describe("The days before the first payment; null: none"),
});

export const offerChangeBody = withReason({
  name: name.optional(),
  amount: amount.optional(),
  days: days.optional(),
  devices: devices.optional(),
  trial_days: trialDays.optional(),
}).refine(
  (terms) => Object.entries(terms).some(([term, value]) => term !== "reason" && value !== undefined),
  {
    message: "Send name, amount, days, devices or trial_days",
    path: ["name"],
    params: { isSentence: true },
  },
);
