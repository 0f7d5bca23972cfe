import { z } from "zod";
import { customerRow, licenceRow, paymentRow, subscriptionRow, ticketRow } from "./rows";

/** The most of each kind that a search finds. */
export const maxFoundPerKind = 5;

const reason = z.object({
  by: z
    .enum(["card", "discord", "key", "receiver"])
    .describe(
      "`card`: its last four; `discord`: the user's name or id; `key`: the last group of a key that it sold; `receiver`: a gift's address",
    ),
  text: z.string(),
});

export const searchResult = z.object({
  customers: z.array(customerRow).max(maxFoundPerKind),
  payments: z.array(paymentRow).max(maxFoundPerKind),
  licences: z.array(licenceRow).max(maxFoundPerKind),
  subscriptions: z.array(subscriptionRow).max(maxFoundPerKind),
  tickets: z.array(ticketRow).max(maxFoundPerKind),
  why: z.record(z.string(), reason).describe("Of rows that don't show why they were found, by their ids"),
});
export type SearchResult = z.infer<typeof searchResult>;
