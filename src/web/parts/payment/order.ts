import { brand } from "@/brand/brand";
import { money } from "@/contract/money";
import type { Payment, PurchaseResult } from "@/contract/payments";

/** The fields that a row of the payment list and a payment's status share. */
export type Order = Pick<
  Payment | PurchaseResult,
  "bill" | "offer" | "offer_name" | "quantity" | "gift" | "renewal"
> & {
  invoice_url: string | null;
};

/**
 * Whether the order is one of the default offer at its full price, so that the amount says everything. During an
 * upgrade, a process of the previous release may still answer without a bill.
 */
export function isPlainOrder({ bill, offer, quantity, gift, invoice_url }: Partial<Order>): boolean {
  if (!bill) return true;
  const { asked, off, tax, tax_included, paid, refunded } = bill;
  const extras = off + tax + tax_included + refunded;
  return (
    offer === brand.offer.id &&
    quantity === 1 &&
    extras === 0 &&
    (paid === asked || paid === 0) &&
    !gift &&
    !invoice_url
  );
}

/** `3 × One month`, or `One month, renewal`. */
export function orderText({ offer_name: name, quantity, renewal }: Order): string {
  if (renewal) return `${name}, renewal`;
  return quantity > 1 ? `${quantity} × ${name}` : name;
}

/** Whether a code took everything off. */
const isFree = ({ bill: { asked, off, tax } }: Pick<Order, "bill">) => asked - off + tax === 0;

export type BillLine = { name: string; amount: string; kind?: "sum" | "aside" };

/** The lines of a bill, from the price to the amounts paid and refunded. */
export function billLines(order: Order): BillLine[] {
  const { asked, off, tax, tax_included, paid, refunded, currency } = order.bill;
  const line = (name: string, minor: number, kind?: BillLine["kind"], sign = ""): BillLine[] => [
    { name, amount: `${sign}${money(minor, currency)}`, ...(kind && { kind }) },
  ];
  return [
    ...line(orderText(order), asked),
    ...(off > 0 ? line("Discount", off, undefined, "−") : []),
    ...(tax > 0 ? line("Tax", tax) : []),
    ...(paid > 0 || isFree(order) ? line("Paid", paid, "sum") : []),
    ...(tax_included > 0 ? line("Tax included", tax_included, "aside") : []),
    ...(refunded > 0 ? line("Refunded", refunded, "aside", "−") : []),
  ];
}
