import type { Payment } from "@/contract/wire/payments";
import { texts } from "@/contract/vocabulary/texts";

/** The status's tooltip, or null. */
export function reasonOf({ status, failure_reason }: Payment) {
  return status === "succeeded" ? texts.paymentSucceeded : failure_reason;
}

/** Hides the provider's method ids, which mean nothing to people. */
export function methodText({ payment_method: method, bill }: Pick<Payment, "payment_method" | "bill">) {
  if (!method && bill && bill.outside > 0) return "Paid elsewhere";
  return !method || method.startsWith("pm_") ? "Unknown" : inWords(method);
}

/** `us_bank_account` → `Us bank account`. */
function inWords(method: string) {
  const words = method.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
