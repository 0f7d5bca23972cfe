import { brand } from "@/brand/brand";
import { expect, test } from "bun:test";
import { billInWords, billOf } from "@/domain/bills/bill";
import {
  columnsOfOrder,
  isOrderOf,
  metadataOf,
  openOrder,
  type OrderTerms,
  sealOrder,
  writtenOrderIn,
} from "@/domain/payments/port/order-terms";
import { createSecrets } from "@/core/secrets/secrets";

const ctx = { secrets: createSecrets(new Uint8Array(32)) };
const terms: OrderTerms = {
  id: "order_1",
  amount: 500,
  currency: "usd",
  offer: "month",
  product: "Ein Monat für 🐈",
  level: "pro",
  levelName: "Für Profis",
  days: 30,
  devices: 5,
  every: "month",
  trialDays: 7,
  quantity: 2,
  gift: "bob@example.com",
  buyer: "account_1",
};
const none = { days: null, every: null, trialDays: null, gift: null, buyer: null };
const order = sealOrder(ctx, terms);
const metadata = metadataOf(order);
const opened = (from: Record<string, string> | null) => openOrder(ctx, writtenOrderIn(from));
/** Metadata with a text that this shop sealed. */
const sealed = (text: string) => ({ order_1: text, seal: ctx.secrets.fingerprint("order-seal", text) });

test("an order survives the round trip through Stripe's metadata", () => {
  for (const one of [order, sealOrder(ctx, { ...terms, ...none })]) {
    expect(opened(metadataOf(one))).toEqual(one);
    expect(isOrderOf(columnsOfOrder(one), writtenOrderIn(metadataOf(one)))).toBe(true);
  }
  expect(metadata).toEqual({
    order: "order_1",
    offer: "month",
    quantity: "2",
    order_1:
      '[2,"order_1",1,{"amount":500,"currency":"usd","offer":"month","product":"Ein\\u0020Monat\\u0020f\\u00fcr\\u0020\\ud83d\\udc08","level":"pro","levelName":"F\\u00fcr\\u0020Profis","days":30,"devices":5,"every":"month","trialDays":7,"quantity":2,"gift":"bob@example.com","buyer":"account_1"}]',
    seal: order.seal,
  });
  // what is in clear is not read
  expect(opened({ ...metadata, order: "order_2", quantity: "9", key_editions: "1" })).toEqual(order);
});

test("an order may carry the texts that it was made under, and is no other order by that", () => {
  const agreed = { termsEdition: "May 1, 2026", termsSha256: "a".repeat(64), refundsSha256: "b".repeat(64) };
  const whole = sealOrder(ctx, terms, agreed);
  expect(opened(metadataOf(whole))).toEqual(whole);
  expect(whole.agreed).toEqual(agreed);
  expect(order.agreed).toBeNull();
  const { seal: _, ...columns } = columnsOfOrder(whole);
  const { seal: __, ...without } = columnsOfOrder(order);
  expect(columns).toEqual(without);
});

test("a long order is cut into pieces, which are an order only together", () => {
  for (const length of [1, 200, 449, 450, 451, 3700, 3800, 3900, 8000]) {
    const long = sealOrder(ctx, { ...terms, product: "x".repeat(length) });
    const cut = metadataOf(long);
    const pieces = Object.keys(cut).filter((name) => name.startsWith("order_"));
    for (const value of Object.values(cut)) expect(value.length).toBeLessThanOrEqual(450);
    expect(opened(cut)).toEqual(long);
    expect(opened({ ...cut, [`order_${pieces.length + 1}`]: "x" })).toBeNull();
    expect(opened({ ...cut, [`order_${pieces.length + 2}`]: "x" })).toBeNull();
    for (const name of pieces) {
      const { [name]: _, ...rest } = cut;
      expect(opened(rest)).toBeNull();
    }
  }
  expect(() => sealOrder(ctx, { ...terms, product: "x".repeat(9000) })).toThrow("too long");
  const { order_1: text = "", seal = "" } = metadata;
  expect(opened({ order_1: text.slice(0, 9), order_2: text.slice(9), seal })).toBeNull();
});

test("a text whose seal is another's, or that is no order, is none", () => {
  const { order_1: text = "" } = metadata;
  expect(opened(null)).toBeNull();
  expect(opened({ ...metadata, seal: "" })).toBeNull();
  expect(opened({ ...metadata, seal: sealOrder(ctx, { ...terms, id: "order_2" }).seal })).toBeNull();
  for (const [was, is] of [
    ["500", "501"],
    ["order_1", "order_2"],
    ["account_1", "account_2"],
    ["}]", "} ]"],
  ] as const) {
    expect(opened({ ...metadata, order_1: text.replace(was, is) })).toBeNull();
  }
  const other = { secrets: createSecrets(new Uint8Array(32).fill(1)) };
  expect(openOrder(other, writtenOrderIn(metadata))).toBeNull();
  // as the editions of an order's keys are
  expect(opened(sealed('["keys","cs_1",1]'))).toBeNull();
});

test("of an order of a version that this release doesn't know the beginning is read", () => {
  const text = '[3,"order_1",1,{"anything":"else"}]';
  expect(opened(sealed(text))).toEqual({
    id: "order_1",
    version: 3,
    text,
    seal: sealed(text).seal,
    agreed: null,
  });
  expect(opened(sealed('[3,"order_1",2,{}]'))).toBeNull();
});

test("an order of the first version sold the first level", () => {
  const { id, level: _, levelName: __, ...sold } = terms;
  const text = JSON.stringify([1, id, 1, { ...sold, product: "Month" }]);
  const first = { level: brand.premium.type, levelName: brand.premium.name };
  expect(opened(sealed(text))).toEqual({
    ...terms,
    product: "Month",
    ...first,
    version: 1,
    text,
    seal: sealed(text).seal,
    agreed: null,
  });
});

test("every term is sealed, and a column of the payment but for the buyer", () => {
  const changed: { [Name in keyof OrderTerms]: OrderTerms[Name] } = {
    id: "order_2",
    amount: 501,
    currency: "eur",
    offer: "year",
    product: "Two months",
    level: "team",
    levelName: "Team",
    days: null,
    devices: 1,
    every: "year",
    trialDays: null,
    quantity: 3,
    gift: null,
    buyer: null,
  };
  const { sealVersion: _, seal: __, ...columns } = columnsOfOrder(order);
  for (const [name, value] of Object.entries(changed)) {
    const other = sealOrder(ctx, { ...terms, [name]: value });
    expect(isOrderOf(columnsOfOrder(order), { ...other, pieces: 1 })).toBe(false);
    const { sealVersion: ___, seal: ____, ...itsColumns } = columnsOfOrder(other);
    expect(Bun.deepEquals(itsColumns, columns)).toBe(name === "buyer");
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
