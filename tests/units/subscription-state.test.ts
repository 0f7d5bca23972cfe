import { expect, test } from "bun:test";
import { day, hour } from "@/contract/vocabulary/time";
import { oddities, subscriptionState } from "@/domain/payments/state/subscription-state";
import type { InvoiceFacts, SubscriptionFacts } from "@/domain/payments/port/subscription-gateway";
import { endsIfRefunded, statusAfterMoneyBack } from "@/domain/payments/state/status-after-money-back";
import { changesNothing, type ShopFacts, desiredChanges } from "@/domain/payments/state/desired-changes";

const at = (days: number) => new Date(Date.UTC(2026, 0, 1) + days * day);

const invoice = (days: number, more: Partial<InvoiceFacts> = {}): InvoiceFacts => ({
  id: `in_${days}`,
  isFirst: days === 0,
  isSwitch: false,
  status: "paid",
  createdAt: at(days),
  periodEndsAt: at(days + 30),
  price: "price_month",
  credits: [],
  isComing: false,
  dueAt: null,
  tried: true,
  onItsWay: false,
  isProcessing: false,
  ...more,
});
const unpaid = { status: "open" } as const;

/** Bought on day 0 and paid for the first month. */
const running: SubscriptionFacts = {
  id: "sub_1",
  customerId: "cus_1",
  billingEmail: "ada@example.com",
  status: "active",
  cancelsAt: null,
  endedAt: null,
  collectionPaused: false,
  resumesAt: null,
  periodEndsAt: at(30),
  trialEndsAt: null,
  item: "si_1",
  price: {
    id: "price_month",
    offer: "month",
    amount: 300,
    currency: "usd",
    every: "month",
    level: { id: "premium", name: "Premium" },
    devices: 1,
  },
  amount: 300,
  netAmount: 300,
  isTaxed: false,
  nextDiscounts: null,
  changes: null,
  card: null,
  cards: { own: "pm_1", general: null },
  livemode: false,
  startedAt: at(0),
  invoices: [invoice(0)],
};
/** In its second month, whose invoice is `renewal`. */
const second = (
  renewal: Partial<InvoiceFacts>,
  more: Partial<SubscriptionFacts> = {},
): SubscriptionFacts => ({
  ...running,
  periodEndsAt: at(60),
  invoices: [invoice(0), invoice(30, renewal)],
  ...more,
});
const stands = (held: SubscriptionFacts, days: number) => subscriptionState(held, at(days));

test("a running subscription renews at its period's end, and its licence has three days more", () => {
  expect(stands(running, 3)).toEqual({
    status: "active",
    renewsAt: at(30),
    endsAt: null,
    endedAt: null,
    paidUntil: at(30),
    entitledUntil: at(33),
  });
});

test("nothing entitles before the first invoice is paid, whatever Stripe's status says", () => {
  const begun = { ...running, invoices: [invoice(0, { ...unpaid, onItsWay: true })] };
  for (const status of ["incomplete", "active", "past_due"])
    expect(stands({ ...begun, status }, 1)).toMatchObject({ status: "pending", renewsAt: null });
  expect(stands({ ...begun, status: "incomplete_expired" }, 1).status).toBe("ended");
});

test("a trial lasts as Stripe says now, and then as long as a charge that is coming", () => {
  const trial = {
    ...running,
    status: "trialing",
    periodEndsAt: at(7),
    trialEndsAt: at(7),
    invoices: [invoice(0, { periodEndsAt: null })],
  };
  expect(stands(trial, 2)).toMatchObject({ status: "trialing", renewsAt: at(7), entitledUntil: at(10) });
  const longer = { ...trial, periodEndsAt: at(30), trialEndsAt: at(30) };
  expect(stands(longer, 12)).toMatchObject({ status: "trialing", entitledUntil: at(33) });
  expect(stands({ ...trial, cancelsAt: at(7) }, 2)).toMatchObject({ status: "ending", entitledUntil: at(7) });
  const onPaid = { ...running, status: "trialing", trialEndsAt: at(10) };
  expect(stands(onPaid, 2).paidUntil).toEqual(at(30));
});

test("a cancelled one ends when it says, without grace and without a charge", () => {
  expect(stands({ ...running, cancelsAt: at(30) }, 3)).toMatchObject({
    status: "ending",
    renewsAt: null,
    endsAt: at(30),
    entitledUntil: at(30),
  });
});

test("a subscription that ends after further charges renews until then", () => {
  expect(stands({ ...running, cancelsAt: at(90) }, 3)).toMatchObject({
    status: "active",
    renewsAt: at(30),
    endsAt: at(90),
    entitledUntil: at(33),
  });
});

test("the newest invoice failed: a payment is missing, however long an earlier one paid for", () => {
  const aYearMadeAMonth = { periodEndsAt: at(365) };
  const invoices = [invoice(0, aYearMadeAMonth), invoice(5, unpaid)];
  expect(stands({ ...running, invoices }, 6)).toMatchObject({
    status: "past_due",
    entitledUntil: at(368),
  });
});

test("a subscription that ended at once keeps the time that was paid for", () => {
  expect(stands({ ...running, status: "canceled", endedAt: at(5) }, 6)).toMatchObject({
    status: "ended",
    endsAt: at(5),
    endedAt: at(5),
    entitledUntil: at(30),
  });
});

test("a draft that Stripe will finalize and an invoice that was not tried yet are a charge that is coming", () => {
  const coming = { status: "active", renewsAt: at(60), entitledUntil: at(33) } as const;
  const draft = { status: "draft", isComing: true, tried: false } as const;
  expect(subscriptionState(second(draft), new Date(at(30).getTime() + hour))).toMatchObject(coming);
  expect(stands(second({ ...unpaid, tried: false }), 30)).toMatchObject(coming);
  // a day later its finalizing has failed, which is not the customer's fault
  expect(stands(second(draft), 32)).toMatchObject({ status: "active", entitledUntil: at(44) });
});

test("a failed renewal has the grace of what was paid, although Stripe's period moved on", () => {
  const due = { status: "past_due", renewsAt: null, entitledUntil: at(33) } as const;
  expect(stands(second(unpaid, { status: "past_due" }), 31)).toMatchObject(due);
  expect(stands(second({ ...unpaid, status: "uncollectible" }), 31)).toMatchObject(due);
  expect(stands(second(unpaid, { status: "unpaid" }), 31)).toMatchObject(due);
  expect(stands({ ...running, status: "a status that Stripe adds" }, 31).status).toBe("past_due");
  expect(stands({ ...running, status: "a status that Stripe adds" }, 29).status).toBe("active");
});

test("an invoice to be paid by a day is due after it, and has its grace from then", () => {
  const sent = { ...unpaid, tried: false, dueAt: at(37) };
  expect(stands(second(sent), 31)).toMatchObject({ status: "active", entitledUntil: at(40) });
  expect(stands(second(sent), 38)).toMatchObject({ status: "past_due", entitledUntil: at(40) });
  // a later invoice that is not due yet moves nothing
  const two = [invoice(0), invoice(30, sent), invoice(60, { ...sent, dueAt: at(90) })];
  expect(stands({ ...running, periodEndsAt: at(90), invoices: two }, 61)).toMatchObject({
    status: "past_due",
    entitledUntil: at(40),
  });
});

test("money on its way for the running period counts, also where a charge before it failed", () => {
  const invoices = [invoice(0), invoice(12, unpaid), invoice(30, { ...unpaid, onItsWay: true })];
  expect(stands({ ...second({}), invoices }, 31)).toMatchObject({
    status: "past_due",
    entitledUntil: at(44),
  });
});

test("while money is on its way there are fourteen days of grace, and no whole period", () => {
  const debit = { ...unpaid, onItsWay: true };
  expect(stands(second(debit), 31)).toMatchObject({ status: "active", entitledUntil: at(44) });
  expect(stands(second(debit, { cancelsAt: at(60) }), 31)).toMatchObject({
    status: "ending",
    entitledUntil: at(44),
  });
  // a payment that fails later puts the end back
  expect(stands(second(unpaid), 40).entitledUntil).toEqual(at(33));
});

test("a pause of either kind ends with what was paid", () => {
  const paused = { status: "paused", entitledUntil: at(30) } as const;
  expect(stands({ ...running, status: "paused" }, 3)).toMatchObject({ ...paused, renewsAt: null });
  expect(stands({ ...running, collectionPaused: true }, 3)).toMatchObject({ ...paused, renewsAt: null });
});

test("a period whose invoice was voided or never collected is a pause until the next charge", () => {
  for (const renewal of [
    { status: "void" },
    { status: "draft" },
    { status: "uncollectible", tried: false },
  ] as const)
    expect(stands(second(renewal), 40)).toMatchObject({
      status: "paused",
      renewsAt: at(60),
      entitledUntil: at(30),
    });
});

test("staff hear of a status that Stripe adds, and of a draft that Stripe didn't finalize for a day", () => {
  expect(oddities(running, at(3))).toEqual([]);
  expect(oddities({ ...running, status: "a new one" }, at(3))).toHaveLength(1);
  const draft = { status: "draft", isComing: true, tried: false } as const;
  expect(oddities(second(draft), at(30))).toEqual([]);
  expect(oddities(second(draft), at(32))).toHaveLength(1);
});

const shop: ShopFacts = { over: null, isDuplicate: false, hasLifetime: false, generalCard: "", payments: [] };
const wants = (held: SubscriptionFacts, more: Partial<ShopFacts>, days: number) =>
  desiredChanges(held, stands(held, days), { ...shop, ...more }, at(days));

test("a subscription that runs as it should wants nothing", () => {
  expect(changesNothing(wants(running, {}, 3))).toBe(true);
  expect(changesNothing(wants(second(unpaid), {}, 31))).toBe(true);
});

test("a lifetime ends a subscription when what is paid runs out, and voids what is owed", () => {
  const end = { at: at(30), reason: "lifetime" } as const;
  expect(wants(running, { hasLifetime: true }, 3)).toMatchObject({ end, voids: [] });
  expect(wants({ ...running, cancelsAt: at(90) }, { hasLifetime: true }, 3).end).toEqual(end);
  // of a year that was credited, the month that runs
  const credited = { ...running, invoices: [invoice(0, { periodEndsAt: at(365) }), invoice(1)] };
  expect(wants(credited, { hasLifetime: true }, 3).end).toEqual(end);
  expect(wants({ ...running, cancelsAt: at(30) }, { hasLifetime: true }, 3).end).toBeNull();
  expect(wants(second(unpaid), { hasLifetime: true }, 31)).toMatchObject({
    end: { at: "now", reason: "lifetime" },
    voids: ["in_30"],
  });
});

test("once its licence has ended for good it is cancelled at once, and what can be paid is voided", () => {
  const over = { reason: "revoked", at: at(31) } as const;
  expect(wants(second(unpaid), { over }, 31)).toMatchObject({
    end: { at: "now", reason: "revoked" },
    voids: ["in_30"],
  });
  // what is being paid can't be voided yet
  expect(wants(second({ ...unpaid, onItsWay: true, isProcessing: true }), { over }, 31).voids).toEqual([]);
  const ended = second(unpaid, { status: "canceled", endedAt: at(31) });
  expect(wants(ended, { over }, 32)).toMatchObject({ end: null, voids: ["in_30"] });
});

const money = {
  id: "p30",
  sessionId: "in_30",
  state: "succeeded",
  paidAt: at(33),
  paidAmount: 300,
  refundedAmount: 0,
  periodEndsAt: at(60),
  isUnwanted: false,
} as const;

test("money that arrives after a licence ended for good is given back, and what came before stays", () => {
  const over = { reason: "revoked", at: at(32) } as const;
  const held = second({}, { status: "canceled", endedAt: at(32) });
  const given = (payment: ShopFacts["payments"][number]) =>
    wants(held, { over, payments: [payment] }, 34).refunds;
  expect(given(money)).toEqual([{ payment: "p30", amount: 300 }]);
  expect(given({ ...money, refundedAmount: 100 })).toEqual([{ payment: "p30", amount: 200 }]);
  expect(given({ ...money, paidAt: at(31) })).toEqual([]);
  expect(given({ ...money, state: "disputed" })).toEqual([]);
  // of one that never began, whenever the shop heard of it
  expect(wants(held, { over: { reason: "not sold", at: null }, payments: [money] }, 34).refunds).toHaveLength(
    1,
  );
});

test("a renewal that arrives after a lifetime ended its subscription is given back", () => {
  const held = second({}, { status: "canceled", endedAt: at(32) });
  const given = (paidAt: Date) =>
    wants(held, { hasLifetime: true, payments: [{ ...money, paidAt }] }, 40).refunds;
  expect(given(at(35))).toHaveLength(1);
  expect(given(at(30))).toEqual([]);
});

test.each([
  ["ended", { status: "canceled", endedAt: at(40) }],
  ["unpaid", { status: "unpaid" }],
])("what an %s one owes may be paid while its period runs; later it is voided, or given back", (_, left) => {
  const ended = second(unpaid, left);
  expect(wants(ended, {}, 50).voids).toEqual([]);
  expect(wants(ended, {}, 61).voids).toEqual(["in_30"]);
  const paid = second({}, left);
  expect(wants(paid, { payments: [{ ...money, paidAt: at(50) }] }, 51).refunds).toEqual([]);
  expect(wants(paid, { payments: [{ ...money, paidAt: at(61) }] }, 62).refunds).toHaveLength(1);
});

test("a second subscription is cancelled at once and all of it is given back", () => {
  const first = { ...money, id: "p0", sessionId: "cs_1", paidAt: at(0) };
  expect(wants(running, { isDuplicate: true, payments: [first] }, 1)).toMatchObject({
    end: { at: "now", reason: "second" },
    refunds: [{ payment: "p0", amount: 300 }],
  });
});

test("a default card that changed is charged once, and a card of the subscription's own stays", () => {
  const held = second(unpaid, { cards: { own: "pm_1", general: "pm_2" } });
  expect(wants(held, {}, 31).charge).toEqual({ card: "pm_2", invoice: "in_30" });
  expect(wants(held, { generalCard: null }, 31).charge).toBeNull();
  expect(wants({ ...held, cards: { own: "pm_1", general: null } }, {}, 31).charge).toBeNull();
  // nothing is charged while it is paused
  expect(wants({ ...held, collectionPaused: true }, {}, 31).charge).toEqual({ card: "pm_2", invoice: null });
  expect(wants(held, { generalCard: "pm_2" }, 31).charge).toBeNull();
  expect(wants({ ...held, cards: { own: "pm_2", general: "pm_2" } }, {}, 31).charge).toBeNull();
});

const paid = {
  state: "succeeded",
  disputeStatus: null,
  disputedAt: null,
  refundedAt: null,
  refundKeeps: false,
  periodEndsAt: at(30),
  paidAt: at(0),
  paidAmount: 300,
} as const;

test("a dispute of any payment holds the licence, and a lost one ends it", () => {
  const open = { ...paid, state: "disputed", disputeStatus: "needs_response", disputedAt: at(3) } as const;
  const lost = { ...open, disputeStatus: "lost", disputedAt: at(2) };
  expect(statusAfterMoneyBack([paid, open])).toEqual({ paymentStatus: "disputed", fellAt: at(3) });
  expect(statusAfterMoneyBack([open, paid, lost])).toEqual({ paymentStatus: "revoked", fellAt: at(2) });
});

test("a licence that a refund or a lost dispute ended fell then, however long another dispute is open", () => {
  const open = { ...paid, state: "disputed", disputeStatus: "under_review", disputedAt: at(3) } as const;
  const refunded = {
    ...paid,
    state: "refunded",
    refundedAt: at(34),
    periodEndsAt: at(60),
    paidAt: at(30),
  } as const;
  const lost = { ...open, disputeStatus: "lost", disputedAt: at(5) } as const;
  expect(statusAfterMoneyBack([refunded, open])).toEqual({ paymentStatus: "refunded", fellAt: at(34) });
  expect(statusAfterMoneyBack([lost, open])).toEqual({ paymentStatus: "revoked", fellAt: at(5) });
  expect(statusAfterMoneyBack([refunded, lost, open])).toEqual({ paymentStatus: "revoked", fellAt: at(5) });
});

test("only a refund of the current period ends the licence", () => {
  const refunded = { ...paid, state: "refunded", refundedAt: at(4) } as const;
  const next = { periodEndsAt: at(60), paidAt: at(30) };
  const later = { ...refunded, ...next, refundedAt: at(34) };
  expect(statusAfterMoneyBack([later, paid])).toEqual({ paymentStatus: "refunded", fellAt: at(34) });
  expect(
    statusAfterMoneyBack([
      { ...paid, ...next },
      { ...refunded, refundedAt: at(31) },
    ]),
  ).toEqual({
    paymentStatus: "good",
    fellAt: null,
  });
  // it fell while its period ran: what is charged later brings nothing back
  expect(statusAfterMoneyBack([{ ...paid, ...next }, refunded])).toEqual({
    paymentStatus: "refunded",
    fellAt: at(4),
  });
});

test("a switch leaves two invoices of one period, and only both refunded give it back", () => {
  const refunded = { ...paid, state: "refunded", refundedAt: at(4) } as const;
  const difference = { ...refunded, refundedAt: at(6) };
  const free = { ...paid, paidAmount: 0 };
  expect(statusAfterMoneyBack([difference, paid])).toEqual({ paymentStatus: "good", fellAt: null });
  expect(statusAfterMoneyBack([difference, free, refunded])).toEqual({
    paymentStatus: "refunded",
    fellAt: at(6),
  });
  expect(statusAfterMoneyBack([free])).toEqual({ paymentStatus: "good", fellAt: null });
});

test("refunding a payment for another item takes away no period of the subscription's own", () => {
  const other = { ...paid, state: "refunded", refundedAt: at(4), periodEndsAt: null } as const;
  expect(statusAfterMoneyBack([paid, other])).toEqual({ paymentStatus: "good", fellAt: null });
});

test("a refund that staff made to keep the licence ends nothing", () => {
  const kept = { ...paid, state: "refunded", refundedAt: at(4), refundKeeps: true } as const;
  expect(statusAfterMoneyBack([kept, paid])).toEqual({ paymentStatus: "good", fellAt: null });
});

test("a refund would end the licence only as the last that is paid of the current period", () => {
  const older = { ...paid, periodEndsAt: at(0), paidAt: at(-30) };
  const switched = { ...paid, paidAmount: 200 };
  const gone = { ...paid, state: "refunded", refundedAt: at(4) } as const;
  expect(endsIfRefunded([paid, older], paid, at(5))).toBe(true);
  expect(endsIfRefunded([paid, older], older, at(5))).toBe(false);
  expect(endsIfRefunded([switched, paid], paid, at(5))).toBe(false);
  expect(endsIfRefunded([switched, gone], switched, at(5))).toBe(true);
  const lost = { ...older, state: "disputed", disputeStatus: "lost", disputedAt: at(1) } as const;
  expect(endsIfRefunded([paid, lost], paid, at(5))).toBe(false);
});
