import { z } from "zod";

import { instant } from "../envelope";
import { recurring } from "../offers";

/**
 * `other_currency`: its price is in a currency that the shop no longer sells in. `newer_release`: only a newer release
 * can sell it. `level_retired`: its level was taken off sale.
 */
const offerStates = ["on_sale", "retired", "other_currency", "newer_release", "level_retired"] as const;

export const offerRow = z.object({
  id: z.string(),
  name: z.string(),
  amount: z.int().describe("The price of one license, in minor units"),
  currency: z.string(),
  days: z.int().nullable().describe("How long it runs from redemption; null: lifetime"),
  devices: z.int().describe("How many computers can use it at a time"),
  recurring: recurring.nullable().describe("null: paid once"),
  level: z.string().describe("The id of the level that it sells"),
  hidden: z.boolean().describe("In no list, and sold only to those who have its address"),
  state: z.enum(offerStates),
  created_at: instant,
  retired_at: instant.nullable(),
});
export type OfferRow = z.infer<typeof offerRow>;
