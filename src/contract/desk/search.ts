import { z } from "zod";
import { customerRow, licenceRow, paymentRow, ticketRow } from "./rows";

/** The most of each kind that a search finds. */
export const mostFound = 5;

export const searchBody = z.strictObject({
  q: z
    .string()
    .trim()
    .min(1)
    .max(254)
    .describe(
      "An email or a name, whole or its beginning, a whole or masked key, one of our ids or Stripe's, a Discord id, a ticket's number",
    ),
});

export const searchResult = z.object({
  customers: z.array(customerRow).max(mostFound),
  payments: z.array(paymentRow).max(mostFound),
  licences: z.array(licenceRow).max(mostFound),
  tickets: z.array(ticketRow).max(mostFound),
});
export type SearchResult = z.infer<typeof searchResult>;
