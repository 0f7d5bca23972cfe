import { brand } from "@/brand/brand";
import { money } from "@/contract/money";
import type { Payment, PaymentStatus } from "@/contract/payments";

/** What payment lists and the status of a payment both say of an order. */
export type Order = Pick<Payment | PaymentStatus, "bill" | "offer" | "offer_name" | "quantity" | "gift"> & {
  invoice_url: string | null;
};

/**
 * Whether one of the shop's own offer was bought at its price, so that the amount says everything. While a new release
 * starts, a process of the one before may still answer without a bill.
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

/** `3 × One month`. */
export const orderText = ({ offer_name, quantity }: Order) =>
  quantity > 1 ? `${quantity} × ${offer_name}` : offer_name;

export type BillLine = { name: string; amount: string; kind?: "sum" | "aside" };

/** The bill from the price to what was paid, and what was refunded since. */
export function billLines(order: Order): BillLine[] {
  const { asked, off, tax, tax_included, paid, refunded, currency } = order.bill;
  const line = (name: string, minor: number, kind?: BillLine["kind"], sign = ""): BillLine[] => [
    { name, amount: `${sign}${money(minor, currency)}`, ...(kind && { kind }) },
  ];
  return [
    ...line(orderText(order), asked),
    ...(off > 0 ? line("Discount", off, undefined, "−") : []),
    ...(tax > 0 ? line("Tax", tax) : []),
    ...(paid > 0 || off > 0 ? line("Paid", paid, "sum") : []),
    ...(tax_included > 0 ? line("Tax included", tax_included, "aside") : []),
    ...(refunded > 0 ? line("Refunded", refunded, "aside", "−") : []),
  ];
}
