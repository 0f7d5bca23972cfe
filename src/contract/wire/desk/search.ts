import { z } from "zod";
import { customerRow, licenceRow, paymentRow, subscriptionRow, ticketRow } from "./rows";

/** The most of each kind that a search finds. */
export const maxFoundPerKind = 5;

export const searchResult = z.object({
  customers: z.array(customerRow).max(maxFoundPerKind),
  payments: z.array(paymentRow).max(maxFoundPerKind),
  licences: z.array(licenceRow).max(maxFoundPerKind),
  subscriptions: z.array(subscriptionRow).max(maxFoundPerKind),
  tickets: z.array(ticketRow).max(maxFoundPerKind),
});
export type SearchResult = z.infer<typeof searchResult>;
