import { z } from "zod";
import { typedKey } from "./accounts";
import { instant, timezone } from "./envelope";
import { licenceEventNames } from "./licence-events";

export const redeemBody = z.object({ key: typedKey, timezone });

export const redeemed = z.object({ expiry_date: instant.nullable().describe("null: never") });

export const licence = z.object({
  key: z.string(),
  type: z.string(),
  active: z.boolean(),
  disputed: z.boolean(),
  redeemed_date: instant.nullable(),
  expiry_date: instant.nullable().describe("null: lifetime"),
});

export const licenceHistory = z.object({
  key: z.string(),
  events: z.array(z.object({ date: instant, event: z.enum(licenceEventNames) })).describe("Oldest first"),
});

export type Licence = z.infer<typeof licence>;
export type LicenceHistory = z.infer<typeof licenceHistory>;
