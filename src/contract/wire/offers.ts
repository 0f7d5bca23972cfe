import { z } from "zod";
import { maxKeysPerOrder } from "../vocabulary/bounds";
import { intervals } from "../vocabulary/kinds";
import { level } from "./envelope";
import { plainTyped } from "../vocabulary/typed-codes";

export const interval = z.enum(intervals);

export const recurring = z.object({
  interval: interval.describe("How often the price is paid"),
  trial_days: z.int().nullable().describe("The days before the first payment; null: none"),
});

export const offer = z.object({
  id: z.string(),
  name: z.string(),
  amount: z.int().describe("The price of one, minor units"),
  currency: z.string(),
  days: z.int().nullable().describe("How long it runs from redemption; null: lifetime"),
  devices: z.int().describe("How many computers at a time"),
  level,
  includes: z.array(z.string()).describe("The ids of the levels that its level contains, without its own"),
  features: z.array(z.string()).describe("Slugs of what its level unlocks in the application, sorted"),
  recurring: recurring.nullable().describe("null: paid once"),
  adds: z
    .boolean()
    .optional()
    .describe("With a session: false if this person would gain nothing by redeeming it"),
});

/** `GET /api/offers` */
export const offersQuery = z.object({
  id: z.string().min(1).max(64).optional().describe("This offer alone, which may be in no list"),
});

/** As buyers type it. */
export const promotionCode = z.string().overwrite(plainTyped).min(1).max(64);

/** How many keys of an offer. */
export const quantity = z.int().min(1).max(maxKeysPerOrder);

export const codeBody = z.object({
  offer: z.string().min(1).max(64).describe("The offer's id"),
  code: promotionCode,
  quantity: quantity.optional().describe("How many keys; one unless said otherwise"),
});

export const checkedCode = z.object({
  amount: z
    .int()
    .describe("What the order costs with the code, minor units; of a subscription, its first charge"),
  off: z.int().describe("What the code takes off that"),
  lasts: z
    .union([z.enum(["once", "forever"]), z.int()])
    .nullable()
    .describe(
      "Which charges of a subscription it lowers: the first, all, or those of so many months; null: unknown",
    ),
  sure: z
    .boolean()
    .describe("false: Stripe decides at checkout, as for a first purchase, a minimum or certain customers"),
});

export type CheckedCode = z.infer<typeof checkedCode>;
export type Offer = z.infer<typeof offer>;
