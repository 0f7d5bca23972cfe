import { z } from "zod";
import { mailedToken, typedKey } from "./accounts";
import { browserTimezone, instant, level } from "./envelope";
import { licenceEventNames } from "../vocabulary/licence-events";
import { deskLicenceStatuses } from "../vocabulary/statuses";

export const redeemBody = z.object({ key: typedKey, timezone: browserTimezone, mailed_token: mailedToken });

export const redeemed = z.object({ expiry_date: instant.nullable().describe("null: never") });

export const licence = z.object({
  key: z.string(),
  type: z.string(),
  level,
  active: z.boolean(),
  disputed: z.boolean(),
  redeemed_date: instant.nullable(),
  expiry_date: instant.nullable().describe("null: lifetime"),
  status: z
    .enum(deskLicenceStatuses)
    .exclude(["unredeemed"])
    .describe(
      "The gravest reason first. other_mode: bought in the shop's other Stripe mode, which gives nothing",
    ),
  payment_id: z.string().nullable().describe("As in the list of payments; null: nobody bought it"),
  subscription: z
    .string()
    .nullable()
    .describe("The id of the subscription that pays for it; null: none does"),
  renews_at: instant.nullable().describe("The subscription's next charge; null: none is due"),
});

export const unusedKey = z.object({
  key: z.string(),
  name: z.string().describe("The offer's name when it was bought"),
  days: z.int().nullable().describe("Counted from redemption; null: lifetime"),
  payment_id: z.string().describe("As in the list of payments"),
});

export const licenceHistory = z.object({
  key: z.string(),
  events: z.array(z.object({ date: instant, event: z.enum(licenceEventNames) })).describe("Oldest first"),
});

export type Licence = z.infer<typeof licence>;
export type UnusedKey = z.infer<typeof unusedKey>;
export type OwnLicenceStatus = Licence["status"];
export type LicenceHistory = z.infer<typeof licenceHistory>;
