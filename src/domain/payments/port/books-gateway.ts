/** What moved the balance at the provider, in minor units. https://docs.stripe.com/api/balance_transactions/object */
export type Movement = {
  id: string;
  at: Date;
  /** Stripe's reporting category: https://docs.stripe.com/reports/reporting-categories */
  kind: string;
  /** The charge, refund, dispute or payout that moved it; null for a fee of its own, which `description` explains. */
  source: string | null;
  description: string | null;
  amount: number;
  fee: number;
  currency: string;
};

/** Where a buyer is, by ISO 3166, and their tax id with its kind in Stripe's words. */
export type BuyerFacts = { country: string | null; taxId: { kind: string; value: string } | null };

export type PaidCard = { brand: string; last4: string };

/**
 * Lists of all that was ever paid, which are read once for what earlier releases didn't keep. Charges come last: where
 * the card is billed only stands in for an address.
 */
export const buyerLists = ["sessions", "invoices", "charges"] as const;
export type BuyerList = (typeof buyerLists)[number];

/** What Stripe holds of the buyer of a payment: of a renewal, `sessionId` is its invoice. */
export type BuyerFound = {
  of: { sessionId: string } | { intentId: string };
  buyer: BuyerFacts;
  charge?: { id: string; card: PaidCard | null };
  invoiceNumber?: string | null;
};

/** The provider's own books. All calls may throw `CheckoutUnreachable`. */
export type BooksGateway = {
  /** A page of what moved the balance since then, newest first; `from` is where the page before ended. */
  movements(wanted: { since: Date; from: string | null }): Promise<{ rows: Movement[]; next: string | null }>;
  /**
   * When a payout arrives, and whether the provider can say what it paid out: not yet, or never for one that a person
   * made. Null for one that it doesn't know.
   */
  payout(id: string): Promise<{ arrivesAt: Date; lists: "all" | "later" | "nothing" } | null>;
  /** A page of the ids of the movements that a payout paid out. */
  paidOutBy(payout: string, from: string | null): Promise<{ rows: string[]; next: string | null }>;
  /** A page of a list of buyers. */
  buyers(list: BuyerList, from: string | null): Promise<{ rows: BuyerFound[]; next: string | null }>;
};
