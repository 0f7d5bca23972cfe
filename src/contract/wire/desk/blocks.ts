import { z } from "zod";
import { blockKinds } from "../../vocabulary/kinds";
import { instant } from "../envelope";
import { pageFields } from "./pages";
import { withReason } from "./reason";

export const blockRow = z.object({
  id: z.string(),
  kind: z.enum(blockKinds),
  label: z.string(),
  reason: z.string(),
  created_at: instant,
});
export type BlockRow = z.infer<typeof blockRow>;

export const blocksQuery = z.strictObject({ ...pageFields, kind: z.enum(blockKinds).optional() });

export const blockBody = withReason({
  kind: z.enum(blockKinds),
  value: z
    .string()
    .max(512)
    .overwrite((typed) => typed.trim())
    .check(z.minLength(1))
    .optional()
    .describe("A hardware ID, an email, an address or network such as 192.0.2.0/24, or a Discord user's id"),
  customer: z.string().max(64).optional().describe("For a device: the account whose computer it is"),
  device: z.string().max(64).optional().describe("With `customer`: which of several computers, by its id"),
}).refine((body) => (body.value === undefined) !== (body.customer === undefined), {
  message: "Send value or customer, and not both",
  path: ["value"],
  params: { isSentence: true },
});

export const blockParams = z.object({ id: z.string().max(64) });
