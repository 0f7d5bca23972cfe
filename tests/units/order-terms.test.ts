import { expect, test } from "bun:test";
import { billInWords, billOf } from "@/domain/bills/bill";
import {
  columnsOf,
  metadataOf,
  orderIn,
  type OrderTerms,
  sameTerms,
  sealedText,
  termsOf,
} from "@/domain/payments/order-terms";

const terms: OrderTerms = { id: "order_1", amount: 500, currency: "usd" };
const order = { ...terms, seal: "s" };
const others: OrderTerms[] = [
  { ...terms, id: "order_2" },
  { ...terms, amount: 501 },
  { ...terms, currency: "eur" },
];

test("an order reads back from Stripe's metadata and from a payment's row as it was written", () => {
  expect(metadataOf(order)).toEqual({ order: "order_1", amount: "500", currency: "usd", seal: "s" });
  expect(orderIn(metadataOf(order))).toEqual(order);
  expect(termsOf(columnsOf(terms))).toEqual(terms);
});

test("metadata that lacks a term or the seal, or holds what this shop never wrote, is no order", () => {
  for (const name of Object.keys(metadataOf(order))) {
    const { [name]: _, ...rest } = metadataOf(order);
    expect(orderIn(rest)).toBeNull();
    expect(orderIn({ ...metadataOf(order), [name]: "" })).toBeNull();
  }
  for (const amount of ["5.5", "-500", "1e3", "0x10", " 500"]) {
    expect(orderIn({ ...metadataOf(order), amount })).toBeNull();
  }
  expect(orderIn(null)).toBeNull();
});

test("every term is compared and sealed, and seals of sessions that are already open stay valid", () => {
  expect(sealedText(terms)).toBe("order_1:500:usd");
  expect(sameTerms(terms, { ...terms })).toBe(true);
  for (const other of others) {
    expect(sameTerms(terms, other)).toBe(false);
    expect(sealedText(other)).not.toBe(sealedText(terms));
  }
});

test("a bill tells what was asked, paid and refunded apart", () => {
  const held = { currency: "usd", askedAmount: 500, paidAmount: null, refundedAmount: 0, soldAt: null };
  expect(billOf(held)).toMatchObject({ asked: 500, paid: 0, refunded: 0 });
  expect(billInWords(billOf(held))).toBe("USD 5.00 asked");
  expect(billInWords(billOf({ ...held, paidAmount: 500 }))).toBe("USD 5.00");
  // as an earlier version wrote a sale
  expect(billOf({ ...held, soldAt: new Date(0) })).toMatchObject({ paid: 500 });
  // nothing was sold for it
  expect(billOf({ ...held, paidAmount: 1 })).toMatchObject({ asked: 500, paid: 1 });
  const partly = billOf({ ...held, paidAmount: 500, refundedAmount: 200 });
  expect(partly).toMatchObject({ asked: 500, paid: 500, refunded: 200 });
  expect(billInWords(partly)).toBe("USD 5.00, USD 2.00 refunded");
});
