import { z } from "zod";
import { intervals } from "../vocabulary/kinds";

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
  recurring: recurring.nullable().describe("null: paid once"),
  adds: z
    .boolean()
    .optional()
    .describe("With a session: false if this person would gain nothing by redeeming it"),
});

export type Offer = z.infer<typeof offer>;
