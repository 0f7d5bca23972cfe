import { z } from "zod";
import { instant } from "../envelope";
import { plainTyped } from "../../vocabulary/typed-codes";
import { withReason } from "./reason";
import { mostCounted, mostPercent, mostPrice } from "../../vocabulary/bounds";

/** Ten years. */
export const mostMonths = 120;

/** Which payments of a subscription a code takes something off. */
const lasts = z.union([
  z.enum(["once", "forever"]),
  z.strictObject({ months: z.int().min(1).max(mostMonths) }),
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

export const codesQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(50).describe("How many rows at most"),
  after: z
    .string()
    .regex(/^promo_\w{1,100}$/, "must be what `next` said")
    .optional()
    .describe("`next` of the previous page"),
});

/** https://docs.stripe.com/api/promotion_codes/create#create_promotion_code-code */
const code = z
  .string()
  .overwrite(plainTyped)
  .regex(/^[A-Za-z0-9-]{1,64}$/, "must be 1 to 64 letters, digits and dashes");

export const codeParams = z.object({ id: code.describe("What buyers type") });

export const codeBody = withReason({
  code,
  percent: z.int().min(1).max(mostPercent).optional(),
  amount: z.int().min(1).max(mostPrice).optional().describe("Minor units of the shop's currency"),
  lasts: lasts
    .default("once")
    .describe("Of a subscription: its first payment, those of its first months, or all"),
  most_uses: z.int().min(1).max(mostCounted).optional(),
  expires_at: instant.optional(),
}).refine((body) => (body.percent === undefined) !== (body.amount === undefined), {
  message: "Send percent or amount, and not both",
  path: ["percent"],
  params: { isSentence: true },
});
