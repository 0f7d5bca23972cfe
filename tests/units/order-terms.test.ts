import { expect, test } from "bun:test";
import { billInWords, billOf } from "@/domain/bills/bill";
import {
  columnsOf,
  editionFor,
  markIn,
  metadataOf,
  orderIn,
  sameTerms,
  type Sealed,
  sealedText,
  termsOf,
} from "@/domain/payments/checkout/order-terms";

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
  sealVersion: 4,
};
const order = { ...terms, seal: "s" };
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
    const { seal: _, ...own } = one;
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
    seal_version: "4",
    seal: "s",
  });
});

test("metadata that lacks a term or the seal, or was not written by this shop, is not an order", () => {
  const needed = Object.keys(metadataOf(order)).filter(
    (name) => !["days", "gift", "every", "trial_days"].includes(name),
  );
  for (const name of needed.filter((one) => one !== "seal_version")) {
    const { [name]: _, ...rest } = metadataOf(order);
    expect(orderIn(rest)).toBeNull();
    expect(orderIn({ ...metadataOf(order), [name]: "" })).toBeNull();
  }
  for (const amount of ["5.5", "-500", "1e3", "0x10", " 500"]) {
    expect(orderIn({ ...metadataOf(order), amount })).toBeNull();
  }
  expect(orderIn({ ...metadataOf(order), seal_version: "5" })).toBeNull();
  expect(orderIn(null)).toBeNull();
});

test("of an order of an unknown edition only the mark is read, and of a stored one no terms", () => {
  const newer = { ...metadataOf({ ...order, mark: "m" }), seal_version: "5" };
  expect(orderIn(newer)).toBeNull();
  expect(markIn(newer)).toEqual({ id: "order_1", edition: 5, mark: "m" });
  for (const edition of ["", "1", "0", "-3", "3.5", "x"]) {
    expect(markIn({ ...newer, seal_version: edition })).toBeNull();
  }
  expect(markIn(metadataOf(order))).toBeNull();
  const { seal: _, ...own } = order;
  expect(termsOf({ ...columnsOf(own), sealVersion: 5 })).toBeNull();
});

test("every term is compared and sealed", () => {
  expect(sameTerms(terms, { ...terms })).toBe(true);
  for (const other of others) {
    expect(sameTerms(terms, other)).toBe(false);
    expect(sealedText(other)).not.toBe(sealedText(terms));
  }
});

test("an order for one computer is sealed as the release before sealed it, which can still sell it", () => {
  const once = { every: null } as const;
  expect([editionFor({ devices: 1, ...once }), editionFor({ devices: 2, ...once })]).toEqual([2, 3]);
  expect(editionFor({ devices: 1, every: "year" })).toBe(4);
  const one = { ...terms, devices: 1, sealVersion: 2 as const };
  expect(sealedText(one)).toBe('[2,"order_1",500,"usd","month","A month",30,2,"bob@example.com"]');
  const metadata = metadataOf({ ...one, seal: "s" });
  expect(metadata).not.toHaveProperty("devices");
  expect(orderIn(metadata)).toEqual({ ...one, every: null, trialDays: null, seal: "s" });
  expect(termsOf({ ...columnsOf(one), devices: 7 })).toEqual({ ...one, every: null, trialDays: null });
});

test("a seal of the previous release is computed and read as that release did", () => {
  const metadata = { order: "order_1", amount: "500", currency: "usd", seal: "s" };
  const read = orderIn(metadata);
  expect(read).toMatchObject({ sealVersion: 1, offer: "premium", quantity: 1, days: null, gift: null });
  if (!read) throw new Error("it was read");
  expect(sealedText(read)).toBe("order_1:500:usd");
  expect(metadataOf(read)).toEqual(metadata);
  expect(sameTerms(read, { ...read, sealVersion: 2 })).toBe(false);
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
    paidAmount: null,
    refundedAmount: 0,
    soldAt: null,
  };
  expect(billOf(held)).toMatchObject({ asked: 500, paid: 0, refunded: 0 });
  expect(billInWords(billOf(held))).toBe("USD 5.00 asked");
  expect(billInWords(billOf({ ...held, paidAmount: 500 }))).toBe("USD 5.00");
  expect(billOf({ ...held, trialDays: 7, paidAmount: 0 })).toMatchObject({ asked: 0, paid: 0 });
  // as an earlier version wrote a sale
  expect(billOf({ ...held, soldAt: new Date(0) })).toMatchObject({ paid: 500 });
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
