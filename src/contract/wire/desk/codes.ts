import { z } from "zod";
import { instant } from "../envelope";

/** Ten years. */
export const maxMonths = 120;

/** Which payments of a subscription a code takes something off. */
export const lasts = z.union([
  z.enum(["once", "forever"]),
  z.strictObject({ months: z.int().min(1).max(maxMonths) }),
]);
export type CodeLasts = z.infer<typeof lasts>;

export const codeRow = z.object({
  id: z.string().describe("Stripe's id"),
  code: z.string().describe("What buyers type"),
  takes_off: z
    .union([z.object({ percent: z.number() }), z.object({ amount: z.int(), currency: z.string() })])
    .nullable()
    .describe("null: the Stripe key may not read it"),
  lasts: lasts.nullable().describe("Of a subscription; null: the Stripe key may not read it"),
  uses: z.int(),
  most_uses: z.int().nullable(),
  expires_at: instant.nullable(),
  active: z.boolean(),
  brought: z
    .object({
      orders: z.int(),
      gross: z.int().describe("What buyers paid with this code, in minor units"),
      currency: z.string(),
    })
    .nullable()
    .describe("Counted since the shop first kept figures by code"),
});
export type CodeRow = z.infer<typeof codeRow>;
