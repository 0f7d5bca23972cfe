/** Stripe's reporting categories as people read them. https://docs.stripe.com/reports/reporting-categories */
const words: Readonly<Record<string, string>> = {
  charge: "Payments",
  charge_failure: "Payments that failed later",
  dispute: "Disputes: taken",
  dispute_reversal: "Disputes: returned",
  fee: "Stripe's own fees",
  refund: "Refunds",
  refund_failure: "Refunds that failed",
};

export const balanceWord = (kind: string): string => words[kind] ?? kind.replaceAll("_", " ");

/** Moves between the balance and the bank, which are neither sales nor costs. */
export const payoutKinds = ["payout", "payout_reversal"];

type Sums = readonly { currency: string; net: number }[];

/** What is left in each currency. */
export const netByCurrency = (sums: Sums): [currency: string, net: number][] => {
  const all = new Map<string, number>();
  for (const { currency, net } of sums) all.set(currency, (all.get(currency) ?? 0) + net);
  return [...all];
};
