import type { SweepReport } from "@/domain/payments/reconcile/sweep-progress";

/** A line for each payment that differed from what Stripe holds. */
export const changesInWords = ({ found }: SweepReport): string =>
  found
    .map(({ payment, from, to }) => `\n  ${payment}: ${from === "unknown" ? "new" : from} → ${to}`)
    .join("");
