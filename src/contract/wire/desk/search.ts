import { z } from "zod";
import { customerRow, licenceRow, paymentRow, subscriptionRow, ticketRow } from "./rows";
import { mostSearched } from "../../vocabulary/bounds";

/** The most of each kind that a search finds. */
export const mostFound = 5;

export const searchBody = z.strictObject({
  q: z
    .string()
    .trim()
    .min(1)
    .max(mostSearched)
    .describe(
      "An email or name or its beginning, a whole or masked key, an id of ours or of Stripe, a Discord id, or a ticket's number",
    ),
});

export const searchResult = z.object({
  customers: z.array(customerRow).max(mostFound),
  payments: z.array(paymentRow).max(mostFound),
  licences: z.array(licenceRow).max(mostFound),
  subscriptions: z.array(subscriptionRow).max(mostFound),
  tickets: z.array(ticketRow).max(mostFound),
});
export type SearchResult = z.infer<typeof searchResult>;
