/** What a payment's page says, and what it asks its reader to do next. */
import { describe, expect, test } from "bun:test";
import type { PurchaseResult } from "@/contract/wire/payments";
import { day } from "@/contract/vocabulary/time";
import { Refused, Unreachable } from "@/web/api/client";
import { type NextAction, nextActions } from "@/web/parts/payment/next";
import { boughtText } from "@/web/parts/payment/order";
import { resultOutcome } from "@/web/parts/payment/outcome";
import { mailedText, saidOf } from "@/web/parts/payment/said";

const key = "WISP-61Y5-S1EE-BVJN-C1PM";
const masked = "WISP-••••-••••-••••-C1PM";
const now = new Date("2026-11-30T12:00:00Z");
const bill = {
  currency: "usd",
  asked: 500,
  off: 0,
  tax: 0,
  tax_included: 0,
  credit: 0,
  outside: 0,
  paid: 500,
  refunded: 0,
};
const paid: PurchaseResult = {
  status: "Payment Successful",
  message: "Thank you!",
  id: "pi_1",
  order: "01a1fd74",
  created: now.getTime() / 1_000,
  currency: "usd",
  amount: 500,
  bill,
  offer: "premium",
  offer_name: "Wisp Premium",
  level: { id: "premium", name: "Wisp Premium" },
  quantity: 1,
  term: { days: null, devices: 1, recurring: null },
  license_key: key,
  license_keys: [key],
  unusable_keys: [],
  redeemed_keys: [],
  refunded_at: null,
  invoice_url: null,
  subscription: null,
  renewal: false,
  gift: null,
  email: "ada@example.com",
  sent_receipt: true,
  seller: [],
  for_account: null,
  next_charge: null,
  checkout_url: null,
  order_again: null,
};
const elsewhere = { license_key: masked, license_keys: [masked], email: "a•••@e•••.com" };
const redeemed = { ...elsewhere, redeemed_keys: [0] };
const unpaid = { license_key: null, license_keys: [], bill: { ...bill, paid: 0 } };
const gift = { email: "bob@example.com", from: null, message: null };
const order_again = { offer: "premium", quantity: 1, gift: null };

const nextOf = (changes: Partial<PurchaseResult>, signedIn = false) => {
  const payment = { ...paid, ...changes };
  const title = payment.status === "Payment Successful" ? "Payment Verified" : payment.status;
  return nextActions({ outcome: resultOutcome(title), payment, problem: null }, { signedIn, now });
};

const cases: [what: string, changes: Partial<PurchaseResult>, guest: NextAction[], signedIn: NextAction[]][] =
  [
    ["a purchase, in the browser that bought", {}, ["register", "sign-in"], ["use"]],
    [
      "the same on another device",
      elsewhere,
      ["find-order", "register", "sign-in"],
      ["find-order", "licences"],
    ],
    ["a key in use", redeemed, ["sign-in", "register"], ["licences"]],
    ["a gift", { gift, ...elsewhere }, [], ["licences"]],
    [
      "one that was added",
      { for_account: "added", redeemed_keys: [0] },
      ["sign-in", "register"],
      ["licences"],
    ],
    ["one that adds nothing", { for_account: "redundant" }, ["register", "sign-in"], ["give", "licences"]],
    [
      "a renewal",
      { renewal: true, license_keys: [], license_key: null },
      ["sign-in", "register"],
      ["licences"],
    ],
    [
      "a checkout that is open",
      { status: "Payment Canceled", ...unpaid, checkout_url: "https://pay.test" },
      ["return"],
      ["return"],
    ],
    ["one that expired", { status: "Payment Canceled", ...unpaid, order_again }, ["again"], ["again"]],
    ["somebody else's", { status: "Payment Canceled", ...unpaid }, ["buy"], ["buy"]],
    ["a failed payment", { status: "Payment Failed", ...unpaid, order_again }, ["again"], ["again"]],
    ["a failed renewal", { status: "Payment Failed", ...unpaid, renewal: true }, ["card"], ["card"]],
    ["money for another order", { status: "Payment Failed", license_keys: [] }, ["support"], ["support"]],
    ["a pending payment", { status: "Payment Pending", ...unpaid }, [], []],
    [
      "one that a bank keeps too long",
      { status: "Payment Pending", ...unpaid, created: (now.getTime() - 20 * day) / 1_000 },
      ["support"],
      ["support"],
    ],
    ["a disputed payment", { status: "Payment Disputed" }, ["support"], ["support"]],
    ["a refund", { status: "Payment Refunded", refunded_at: now.toISOString() }, [], []],
    [
      "a refund that should have arrived",
      { status: "Payment Refunded", refunded_at: new Date(now.getTime() - 11 * day).toISOString() },
      ["support"],
      ["support"],
    ],
  ];

describe("what comes next after", () => {
  for (const [what, changes, guest, signedIn] of cases)
    test(what, () => {
      expect(nextOf(changes)).toEqual(guest);
      expect(nextOf(changes, true)).toEqual(signedIn);
    });

  test.each([
    ["no payment", null, ["find-order"]],
    ["an unknown one", new Refused(404, { data: "There is no such payment" }), ["find-order"]],
    ["too many questions", new Refused(429, {}), ["retry"]],
    ["a shop that fails", new Refused(502, {}), ["retry"]],
    ["no answer", new Unreachable(null), ["retry"]],
  ])("%s", (_, problem, actions) => {
    const seen = { outcome: "unknown", payment: undefined, problem } as const;
    expect<string[]>(nextActions(seen, { signedIn: false, now })).toEqual(actions);
  });
});

const monthly = { interval: "month", trial_days: null } as const;

test.each([
  ["Wisp Premium, lifetime", {}],
  ["3 × Wisp Premium, lifetime", { quantity: 3 }],
  ["One month, 30 days", { offer_name: "One month", term: { days: 30, devices: 1, recurring: null } }],
  ["30 days of Wisp", { offer_name: "30 days of Wisp", term: { days: 30, devices: 1, recurring: null } }],
  [
    "Wisp Studio, monthly, 3 computers",
    { offer_name: "Wisp Studio", term: { days: null, devices: 3, recurring: monthly } },
  ],
  ["Monthly", { offer_name: "Monthly", term: { days: null, devices: 1, recurring: monthly } }],
  ["A month", { offer_name: "A month", term: { days: null, devices: 1, recurring: monthly } }],
  ["Monthly, renewal", { offer_name: "Monthly", renewal: true }],
  ["Wisp Premium", { term: null }],
  ["Wisp Premium, Team, lifetime", { level: { id: "team", name: "Team" } }],
  ["For our team, lifetime", { offer_name: "For our team", level: { id: "team", name: "Team" } }],
  ["Monthly, renewal, Team", { offer_name: "Monthly", renewal: true, level: { id: "team", name: "Team" } }],
])("it names what was bought: %s", (text, changes) => {
  expect(boughtText({ ...paid, ...changes })).toBe(text);
});

test.each([
  ["Also emailed to ada@example.com.", {}],
  ["We'll email it to ada@example.com, too.", { sent_receipt: false }],
  ["The key was emailed to a•••@e•••.com.", elsewhere],
  ["The keys were emailed to a•••@e•••.com.", { ...elsewhere, license_keys: [masked, masked] }],
  [null, redeemed],
  [null, { ...elsewhere, gift }],
  [null, { status: "Payment Pending" as const }],
])("it says where the key went: %p", (text, changes) => {
  expect(mailedText({ ...paid, ...changes })).toBe(text);
});

test("it says when a refund was made and should arrive", () => {
  const refunded_at = "2026-11-28T12:00:00Z";
  const refund = { ...paid, status: "Payment Refunded" as const, message: "It was refunded.", refunded_at };
  expect(saidOf(refund, now)).toBe(
    "It was refunded. The refund was made on Nov 28, 2026. Your bank should show it by Dec 8, 2026.",
  );
  expect(saidOf(refund, new Date("2026-12-20T12:00:00Z"))).toBe(
    "It was refunded. The refund was made on Nov 28, 2026. Write to us if your bank still doesn't show it.",
  );
});
