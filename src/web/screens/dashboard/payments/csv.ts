import { money } from "@/contract/vocabulary/money";
import type { Payment } from "@/contract/wire/payments";
import { isPlainOrder } from "../../../parts/payment/order";

type Columns = Record<string, (payment: Payment) => string | null>;

const columns = {
  ID: (payment) => payment.id,
  Status: (payment) => payment.status,
  "Failure Reason": (payment) => payment.failure_reason,
  "Payment Method": (payment) => payment.payment_method,
  License: (payment) => payment.license_key,
  "Created At": (payment) => payment.created_at,
  "Payment ID": (payment) => payment.payment_id,
} as const satisfies Columns;

/** Only for lists with discounts, several offers and the like. */
const orderColumns = {
  Offer: ({ offer_name, renewal }) => (renewal ? `${offer_name}, renewal` : offer_name),
  Quantity: (payment) => String(payment.quantity),
  Paid: ({ bill }) => money(bill.paid, bill.currency),
  Discount: ({ bill }) => money(bill.off, bill.currency),
  Tax: ({ bill }) => money(bill.tax + bill.tax_included, bill.currency),
  Credit: ({ bill }) => money(bill.credit, bill.currency),
  "Paid elsewhere": ({ bill }) => money(bill.outside, bill.currency),
  Refunded: ({ bill }) => money(bill.refunded, bill.currency),
} as const satisfies Columns;

/** The payments as CSV (RFC 4180). The byte order mark makes Excel read it as UTF-8. */
export function csvOf(payments: readonly Payment[]): string {
  const all: Columns = payments.every(isPlainOrder) ? columns : { ...columns, ...orderColumns };
  const rows = payments.map((payment) => Object.values(all).map((read) => read(payment) ?? ""));
  return `\uFEFF${[Object.keys(all), ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("")}`;
}

/**
 * Spreadsheets run text that starts with these as a formula; a leading apostrophe prevents that.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const formula = /^[=+\-@\t\r\n|%]/;

function cell(value: string): string {
  const text = formula.test(value) ? `'${value}` : value;
  // semicolons too, which separate cells in locales with a decimal comma
  return /[",;\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}
