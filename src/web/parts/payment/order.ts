import { dueOf, priceChanges } from "@/contract/wire/bills";
import type { Interval } from "@/contract/vocabulary/kinds";
import { signedMoney } from "@/contract/vocabulary/money";
import { termText } from "@/contract/wire/offer-term";
import { offerOfPage, saysLevel } from "../../page/offers";
import type { Payment, PurchaseResult } from "@/contract/wire/payments";

/** The fields that a row of the payment list and a payment's status share. */
export type Order = Named &
  Pick<Payment | PurchaseResult, "bill" | "offer" | "gift"> & {
    invoice_url: string | null;
  };

type Named = Pick<Payment | PurchaseResult, "offer_name" | "quantity" | "renewal">;

/** Whether the order is for one of the default offer at its full price, so that the amount says everything. */
export function isPlainOrder({ bill, offer, quantity, gift, invoice_url }: Order): boolean {
  const { asked, tax_included, paid, refunded } = bill;
  return (
    offer === offerOfPage().id &&
    quantity === 1 &&
    priceChanges(bill).length === 0 &&
    tax_included + refunded === 0 &&
    (paid === asked || paid === 0) &&
    !gift &&
    !invoice_url
  );
}

/** `3 × One month`, or `One month, renewal`. */
export function orderText({ offer_name: name, quantity, renewal }: Named): string {
  if (renewal) return `${name}, renewal`;
  return quantity > 1 ? `${quantity} × ${name}` : name;
}

type Bought = Pick<PurchaseResult, "offer_name" | "quantity" | "renewal" | "term" | "level">;

/** `Wisp Premium, lifetime` or `3 × A year, Studio, 365 days, 2 computers`: without what the name says already. */
export function boughtText(payment: Bought): string {
  const { offer_name: name, renewal, term, level } = payment;
  const has = (words: string) => name.toLowerCase().includes(words.toLowerCase());
  const what = [orderText(payment), ...(has(level.name) || !saysLevel(level) ? [] : [level.name])];
  if (!term || renewal) return what.join(", ");
  const { days, devices, recurring } = term;
  const lasts = termText({ days }).toLowerCase();
  const computers = `${devices} computers`;
  return [
    ...what,
    ...(has(recurring?.interval ?? lasts) ? [] : [recurring ? howOften[recurring.interval] : lasts]),
    ...(devices === 1 || has(computers) ? [] : [computers]),
  ].join(", ");
}

const howOften: Record<Interval, string> = { month: "monthly", year: "yearly" };

export type BillLine = { name: string; amount: string; kind?: "sum" | "aside" };

/** The lines of a bill, from the price to the amounts paid and refunded. */
export function billLines(order: Order): BillLine[] {
  const { asked, tax_included, paid, refunded, currency } = order.bill;
  const line = (name: string, minor: number, kind?: BillLine["kind"]): BillLine[] => [
    { name, amount: signedMoney(minor, currency), ...(kind && { kind }) },
  ];
  return [
    ...line(orderText(order), asked),
    ...priceChanges(order.bill),
    ...(paid > 0 || dueOf(order.bill) === 0 ? line("Paid", paid, "sum") : []),
    ...(tax_included > 0 ? line("Tax included", tax_included, "aside") : []),
    ...(refunded > 0 ? line("Refunded", -refunded, "aside") : []),
  ];
}
