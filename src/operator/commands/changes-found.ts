import type { ReconcileReport } from "@/domain/payments/reconcile/progress";

/** A line for each payment that differed from what Stripe holds. */
export const changesInWords = ({ found }: ReconcileReport): string =>
  found
    .map(({ payment, from, to }) => `\n  ${payment}: ${from === "unknown" ? "new" : from} → ${to}`)
    .join("");
