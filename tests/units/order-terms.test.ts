import { expect, test } from "bun:test";
import { billInWords, billOf } from "@/domain/bills/bill";
import {
  columnsOf,
  markIn,
  metadataOf,
  orderIn,
  sameTerms,
  type Sealed,
  sealedText,
  termsOf,
} from "@/domain/payments/port/order-terms";

const terms: Sealed = {
  id: "order_1",
  amount: 500,
  currency: "usd",
  offer: "month",
  product: "A month",
  days: 30,
  quantity: 2,
  gift: "bob@example.com",
  devices: 5,
  every: "month",
  trialDays: 7,
  sealVersion: 1,
};
const order = { ...terms, seal: "s", mark: "m" };
const others: Sealed[] = [
  { ...terms, id: "order_2" },
  { ...terms, amount: 501 },
  { ...terms, currency: "eur" },
  { ...terms, offer: "year" },
  { ...terms, product: "Two months" },
  { ...terms, days: null },
  { ...terms, quantity: 3 },
  { ...terms, gift: null },
  { ...terms, devices: 1 },
  { ...terms, every: "year" },
  { ...terms, trialDays: null },
];

test("an order survives the round trip through Stripe's metadata and a payment's row", () => {
  for (const one of [order, { ...order, days: null, gift: null, every: null, trialDays: null }]) {
    const { seal: _, mark: __, ...own } = one;
    expect(orderIn(metadataOf(one))).toEqual(one);
    expect(termsOf(columnsOf(own))).toEqual(own);
  }
  expect(metadataOf(order)).toEqual({
    order: "order_1",
    amount: "500",
    currency: "usd",
    offer: "month",
    product: "A month",
    days: "30",
    quantity: "2",
    gift: "bob@example.com",
    devices: "5",
    every: "month",
    trial_days: "7",
    seal_version: "1",
    seal: "s",
    mark: "m",
  });
});

test("metadata that lacks a term or the seal, or was not written by this shop, is not an order", () => {
  const needed = Object.keys(metadataOf(order)).filter(
    (name) => !["days", "gift", "every", "trial_days"].includes(name),
  );
  for (const name of needed) {
    const { [name]: _, ...rest } = metadataOf(order);
    expect(orderIn(rest)).toBeNull();
    expect(orderIn({ ...metadataOf(order), [name]: "" })).toBeNull();
  }
  for (const amount of ["5.5", "-500", "1e3", "0x10", " 500"]) {
    expect(orderIn({ ...metadataOf(order), amount })).toBeNull();
  }
  expect(orderIn({ ...metadataOf(order), seal_version: "2" })).toBeNull();
  expect(orderIn(null)).toBeNull();
});

test("of an order of an unknown edition only the mark is read, and of a stored one no terms", () => {
  const newer = { ...metadataOf(order), seal_version: "2" };
  expect(orderIn(newer)).toBeNull();
  expect(markIn(newer)).toEqual({ id: "order_1", edition: 2, mark: "m" });
  for (const edition of ["", "0", "-3", "3.5", "x"]) {
    expect(markIn({ ...newer, seal_version: edition })).toBeNull();
  }
  expect(markIn({ ...newer, mark: "" })).toBeNull();
  expect(termsOf({ ...columnsOf(terms), sealVersion: 2 })).toBeNull();
});

test("every term is compared and sealed", () => {
  expect(sameTerms(terms, { ...terms })).toBe(true);
  for (const other of others) {
    expect(sameTerms(terms, other)).toBe(false);
    expect(sealedText(other)).not.toBe(sealedText(terms));
  }
});

test("a bill distinguishes what was asked, paid and refunded", () => {
  const held = {
    currency: "usd",
    unitAmount: 500,
    quantity: 1,
    trialDays: null,
    offAmount: 0,
    taxAmount: 0,
    taxIncluded: 0,
    creditAmount: 0,
    outsideAmount: 0,
    paidAmount: null,
    refundedAmount: 0,
  };
  expect(billOf(held)).toMatchObject({ asked: 500, paid: 0, refunded: 0 });
  expect(billInWords(billOf(held))).toBe("USD 5.00 asked");
  expect(billInWords(billOf({ ...held, paidAmount: 500 }))).toBe("USD 5.00");
  expect(billOf({ ...held, trialDays: 7, paidAmount: 0 })).toMatchObject({ asked: 0, paid: 0 });
  // nothing was sold for it
  expect(billOf({ ...held, paidAmount: 1 })).toMatchObject({ asked: 500, paid: 1 });
  const partly = billOf({ ...held, paidAmount: 500, refundedAmount: 200 });
  expect(partly).toMatchObject({ asked: 500, paid: 500, refunded: 200 });
  expect(billInWords(partly)).toBe("USD 5.00, USD 2.00 refunded");
  const several = billOf({ ...held, quantity: 3, offAmount: 300, paidAmount: 1200 });
  expect(several).toMatchObject({ asked: 1500, off: 300, paid: 1200 });
  expect(billInWords(several)).toBe("USD 12.00, USD 3.00 off");
  expect(billInWords(billOf({ ...held, offAmount: 500, paidAmount: 0 }))).toBe("USD 0.00, USD 5.00 off");
  const byCredit = billOf({ ...held, creditAmount: 500, paidAmount: 0 });
  expect(byCredit).toMatchObject({ asked: 500, credit: 500, paid: 0 });
  expect(billInWords(byCredit)).toBe("USD 0.00, USD 5.00 from credit");
});
