import { dueOf } from "@/contract/wire/bills";
import { money } from "@/contract/vocabulary/money";
import type { PurchaseResult } from "@/contract/wire/payments";
import { texts } from "@/contract/vocabulary/texts";
import { formatResultTime } from "../format-time";

/** The values of the result page's grid; '-' if missing. Other pages give their own `time`. */
export function factsOf(payment: Partial<PurchaseResult> | undefined, time = formatResultTime) {
  const { id, created, currency, email, sent_receipt, license_key, license_keys: keys = [] } = payment ?? {};
  // nothing is paid yet
  const due = payment?.status === "Payment Pending" && payment.bill ? dueOf(payment.bill) : null;
  const amount = due ?? payment?.amount;
  return {
    "Transaction ID": id || "-",
    "Created At": created == null ? "-" : time(new Date(created * 1000)),
    Amount: amount == null ? "-" : money(amount, currency ?? "").trim(),
    "Customer Email": email || "-",
    "Receipt Status": email ? (sent_receipt ? texts.receiptSent : texts.receiptMissing) : "-",
    // several are a list of their own
    "License Key": keys.length > 1 ? `${keys.length} keys` : license_key || "-",
  };
}

/** Whether a key is complete and so can be redeemed, unlike a masked key. */
export function isWholeKey(key: string | null | undefined): key is string {
  return Boolean(key) && /^[A-Z0-9-]+$/i.test(key ?? "");
}
