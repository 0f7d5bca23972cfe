import type { PaymentStatus } from "@/contract/payments";
import { texts } from "@/contract/texts";
import { writeMoment } from "../moment";

/** What the result page writes into its grid; '-' for what is missing. */
export function factsOf(payment: Partial<PaymentStatus> | undefined) {
  const { id, created, currency, amount, email, sent_receipt, license_key } = payment ?? {};
  return {
    "Transaction ID": id || "-",
    "Created At": created == null ? "-" : writeMoment(new Date(created * 1000)),
    Amount: amount == null ? "-" : writeAmount(amount, currency),
    "Customer Email": email || "-",
    "Receipt Status": email ? (sent_receipt ? texts.receiptSent : texts.receiptMissing) : "-",
    "License Key": license_key || "-",
  };
}

/** As the specification words it for this page, whatever the currency. */
function writeAmount(minorUnits: number, currency = "") {
  return `${currency.toUpperCase()} ${(minorUnits / 100).toFixed(2)}`.trim();
}

/** Whether a key is whole and can be redeemed; a masked one is no use to anybody. */
export function isWholeKey(key: string | null | undefined): key is string {
  return Boolean(key) && /^[A-Z0-9-]+$/i.test(key ?? "");
}
