import { z } from "zod";

export const offer = z.object({
  id: z.string(),
  name: z.string(),
  amount: z.int().describe("The price of one, minor units"),
  currency: z.string(),
  days: z.int().nullable().describe("How long it runs from redemption; null: lifetime"),
  devices: z.int().describe("How many computers at a time"),
  recurring: z.null().describe("Nothing recurs in this edition"),
  adds: z
    .boolean()
    .optional()
    .describe("With a session: false if this person would gain nothing by redeeming it"),
});

export type Offer = z.infer<typeof offer>;
