import { z } from "zod";
import { customerRow, licenceRow, paymentRow, subscriptionRow, ticketRow } from "./rows";

/** The most of each kind that a search finds. */
export const mostFound = 5;

export const searchResult = z.object({
  customers: z.array(customerRow).max(mostFound),
  payments: z.array(paymentRow).max(mostFound),
  licences: z.array(licenceRow).max(mostFound),
  subscriptions: z.array(subscriptionRow).max(mostFound),
  tickets: z.array(ticketRow).max(mostFound),
});
export type SearchResult = z.infer<typeof searchResult>;
