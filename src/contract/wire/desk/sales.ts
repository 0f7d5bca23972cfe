import { z } from "zod";
import { instant } from "../envelope";

const amount = z.int().describe("Minor units of `currency`");

/** `POST sales/export`: the sums of the rows that the file of that month has. */
export const salesOfMonth = z.object({
  month: z.string(),
  rows: z.int(),
  sums: z
    .array(
      z.object({
        currency: z.string(),
        kind: z.string().describe("Stripe's reporting category, such as `charge`, `refund` or `dispute`"),
        count: z.int(),
        amount,
        fee: amount,
        net: amount,
      }),
    )
    .describe("As Stripe's own balance report for that time has them, without payouts"),
  outside: z
    .array(z.object({ currency: z.string(), count: z.int(), amount }))
    .describe("Paid outside Stripe, and in no sum of Stripe's"),
  read_until: instant.nullable().describe("All that moved Stripe's balance before this is in the rows"),
  payouts: z.boolean().describe("Whether the key may read payouts; otherwise their columns are empty"),
  notes: z.array(z.string()).describe("What is missing, in sentences"),
});
export type SalesOfMonth = z.infer<typeof salesOfMonth>;
