import { expect, test } from "bun:test";
import type { Dispute, DisputeStatus } from "@/domain/payments/port/stripe";
import { decide, type KnownFacts } from "@/domain/payments/settlement/decide";

const terms = {
  unitAmount: 500,
  currency: "usd",
  every: null,
  trialDays: null,
  quantity: 1,
};
const later = new Date(1_000);
const asked = {
  terms,
  livemode: false,
  sold: false,
  trialTaken: false,
  codeSpent: false,
  unwanted: false,
};

const intent = { id: "pi_1", onItsWay: false, failure: null, received: 500 };
const paid: KnownFacts = {
  sessionId: "cs_1",
  status: "complete",
  mode: "payment",
  paid: true,
  paidAt: new Date(0),
  chargedAt: new Date(0),
  subtotal: 500,
  off: 0,
  taxes: 0,
  total: 500,
  quantity: 1,
  invoice: null,
  currency: "usd",
  livemode: false,
  subscription: null,
  periodEndsAt: null,
  credit: 0,
  recurring: null,
  trial: null,
  began: null,
  ended: false,
  email: "a@example.com",
  createdAt: new Date(0),
  buyer: { country: null, taxId: null },
  intent,
  charge: { id: "ch_1", card: null, method: "card", amountRefunded: 0, refunded: false, refundedAt: null },
  disputes: [],
  warned: null,
};
const dispute = (status: DisputeStatus, at = later, more: Partial<Dispute> = {}): Dispute => ({
  status,
  at,
  reason: "fraudulent",
  amount: 500,
  currency: "usd",
  answerBy: null,
  ...more,
});
const unpaid: KnownFacts = { ...paid, paid: false, charge: null };
const refunded = (amountRefunded: number): KnownFacts["charge"] => ({
  id: "ch_1",
  card: null,
  method: "card",
  amountRefunded,
  refunded: amountRefunded === 500,
  refundedAt: amountRefunded === 500 ? later : null,
});

test("a complete and paid checkout sells a licence", () => {
  expect(decide(paid, asked)).toMatchObject({ state: "succeeded", paymentStatus: "good", mismatch: null });
});

test.each<[Partial<KnownFacts>, object]>([
  [{ status: "open" }, { state: "open" }],
  [{ status: "expired" }, { state: "expired" }],
  [{ intent: { ...intent, onItsWay: true, received: 0 } }, { state: "processing" }],
  [
    { intent: { ...intent, failure: "The bank said no.", received: 0 } },
    { state: "failed", failureReason: "The bank said no." },
  ],
])("nothing is sold before the money has arrived: %o", (facts, outcome) => {
  expect(decide({ ...unpaid, ...facts }, asked)).toMatchObject({ paymentStatus: null, ...outcome });
});

test.each<[Partial<KnownFacts>, string]>([
  [{ subtotal: 1 }, "amount, total"],
  [{ quantity: 2 }, "quantity"],
  [{ quantity: null }, "quantity"],
  [{ total: 1 }, "total, money"],
  [{ currency: "idr" }, "currency"],
  [{ livemode: true }, "livemode"],
  [{ mode: "subscription" }, "mode"],
  [{ intent: { ...intent, received: 1 } }, "money"],
])("what differs from the order sells nothing and is reported: %o", (facts, mismatch) => {
  expect(decide({ ...paid, ...facts }, asked)).toMatchObject({ paymentStatus: null, mismatch });
});

test("an order that is not to the letter what this shop wrote sells nothing", () => {
  const altered = { ...asked, terms: "altered" as const };
  expect(decide(paid, altered)).toMatchObject({ state: "failed", paymentStatus: null, mismatch: "order" });
  expect(decide(paid, { ...altered, sold: true })).toMatchObject({ state: "succeeded", mismatch: null });
});

test("a code and tax change what is paid, not what was asked for", () => {
  const off = { off: 100, total: 400, intent: { ...intent, received: 400 } };
  expect(decide({ ...paid, ...off }, asked)).toMatchObject({ state: "succeeded", mismatch: null });
  const added = { taxes: 95, total: 595, intent: { ...intent, received: 595 } };
  expect(decide({ ...paid, ...added }, asked)).toMatchObject({ state: "succeeded", mismatch: null });
  expect(decide({ ...paid, taxes: 80 }, asked)).toMatchObject({ state: "succeeded", mismatch: null });
  const free = { off: 500, total: 0, intent: null, charge: null };
  expect(decide({ ...paid, ...free }, asked)).toMatchObject({ state: "succeeded", mismatch: null });
});

const sold = { ...asked, sold: true };

test("a sale stays a sale, whatever is edited at Stripe afterwards", () => {
  const edits: Partial<KnownFacts>[] = [
    { subtotal: 1 },
    { total: 1 },
    { quantity: 3 },
    { currency: "idr" },
    { livemode: true },
    { intent: { ...intent, received: 1 } },
    { status: "expired", paid: false },
    { status: "open", paid: false },
    { paid: false },
  ];
  for (const edit of edits) {
    expect(decide({ ...paid, ...edit }, sold)).toMatchObject({
      state: "succeeded",
      paymentStatus: "good",
      mismatch: null,
    });
  }
});

test("after the sale only refunds and disputes count", () => {
  expect(decide({ ...paid, charge: refunded(500) }, sold).paymentStatus).toBe("refunded");
  expect(decide({ ...paid, disputes: [dispute("needs_response")] }, sold).paymentStatus).toBe("disputed");
  expect(decide({ ...paid, disputes: [dispute("lost")] }, sold).paymentStatus).toBe("revoked");
});

test("a full refund revokes the licence, a partial one does not", () => {
  expect(decide({ ...paid, charge: refunded(500) }, asked)).toMatchObject({
    state: "refunded",
    paymentStatus: "refunded",
  });
  expect(decide({ ...paid, charge: refunded(200) }, asked)).toMatchObject({
    state: "succeeded",
    paymentStatus: "good",
    refundedAmount: 200,
  });
});

const byDispute: Record<DisputeStatus, [state: string, paymentStatus: string]> = {
  needs_response: ["disputed", "disputed"],
  under_review: ["disputed", "disputed"],
  won: ["succeeded", "good"],
  prevented: ["succeeded", "good"],
  lost: ["disputed", "revoked"],
  appeal_needs_response: ["disputed", "disputed"],
  appeal_under_review: ["disputed", "disputed"],
  warning_needs_response: ["succeeded", "good"],
  warning_under_review: ["succeeded", "good"],
  warning_closed: ["succeeded", "good"],
};

for (const [status, [state, paymentStatus]] of Object.entries(byDispute)) {
  test(`a dispute that is ${status} leaves the payment ${state} and the licence ${paymentStatus}`, () => {
    const disputes = [dispute(status as DisputeStatus)];
    expect(decide({ ...paid, disputes }, asked)).toMatchObject({
      state,
      paymentStatus,
      disputeStatus: status,
    });
  });
}

test("of several disputes the most serious one counts, in any order", () => {
  const each = (["won", "warning_closed", "lost"] as const).map((status) => dispute(status));
  for (const disputes of [each, each.toReversed()]) {
    expect(decide({ ...paid, disputes }, asked).paymentStatus).toBe("revoked");
  }
});

test("a refund does not restore what a dispute took, nor a won dispute what a refund took", () => {
  expect(decide({ ...paid, charge: refunded(500), disputes: [dispute("lost")] }, asked).paymentStatus).toBe(
    "revoked",
  );
  expect(decide({ ...paid, charge: refunded(500), disputes: [dispute("won")] }, asked).paymentStatus).toBe(
    "refunded",
  );
});

test("a payment was lost at the time of its refund or dispute, and refunds and disputes that no longer count are left out", () => {
  const at = (seconds: number) => new Date(seconds * 1_000);
  const disputes = [
    dispute("won", at(1)),
    dispute("warning_needs_response", at(2)),
    dispute("lost", at(5)),
    dispute("needs_response", at(4)),
  ];
  expect(decide({ ...paid, disputes }, sold)).toMatchObject({
    disputedAt: at(4),
    refundedAt: null,
  });
  expect(decide({ ...paid, disputes: disputes.slice(0, 2) }, sold)).toMatchObject({ disputedAt: null });
  expect(decide({ ...paid, charge: refunded(500) }, sold)).toMatchObject({
    disputedAt: null,
    refundedAt: later,
  });
  expect(decide({ ...paid, charge: refunded(200) }, sold)).toMatchObject({ refundedAt: null });
});

test("of several disputes staff read the one to answer first, or else the most serious", () => {
  const [soon, late] = [new Date(2_000), new Date(9_000)];
  const answered = dispute("lost", later, { reason: "duplicate" });
  const first = dispute("warning_needs_response", later, { reason: "general", amount: 200, answerBy: soon });
  const second = dispute("needs_response", later, { answerBy: late });
  expect(decide({ ...paid, disputes: [answered, second, first] }, sold)).toMatchObject({
    disputeStatus: "lost",
    disputeReason: "general",
    disputeAmount: 200,
    disputeAnswerBy: soon,
  });
  expect(decide({ ...paid, disputes: [dispute("under_review"), answered] }, sold)).toMatchObject({
    disputeReason: "duplicate",
    disputeAnswerBy: null,
  });
  expect(decide(paid, sold)).toMatchObject({ disputeReason: null, disputeAmount: null });
});

test("an order that only a newer release can read gives nothing, whatever became of its money, and waits while it is paid", () => {
  const newer = { ...asked, terms: "newer" as const };
  expect(decide(paid, newer)).toMatchObject({ state: "processing", paymentStatus: null, mismatch: null });
  expect(decide({ ...paid, charge: refunded(500) }, newer)).toMatchObject({
    state: "refunded",
    paymentStatus: null,
  });
  expect(decide(unpaid, newer)).toMatchObject({ paymentStatus: null });
  // a licence that the newer release sold follows its payment
  expect(decide(paid, { ...newer, sold: true })).toMatchObject({ state: "succeeded", paymentStatus: "good" });
  expect(decide(paid, { ...asked, terms: "altered" })).toMatchObject({
    state: "failed",
    paymentStatus: null,
    mismatch: "order",
  });
});

test("a free order beyond its code's limit is no sale, and one that was sold or paid is one", () => {
  const spent = { ...asked, codeSpent: true };
  const free = { ...paid, off: 500, total: 0, intent: null, charge: null };
  expect(decide(free, spent)).toMatchObject({
    state: "failed",
    failureReason: "The promotion code was used up before.",
    paymentStatus: null,
    mismatch: "a used up code",
  });
  expect(decide(free, { ...spent, sold: true })).toMatchObject({ state: "succeeded", mismatch: null });
  expect(decide(paid, spent)).toMatchObject({ state: "succeeded", mismatch: null });
});

test("a second trial is no sale, whatever was agreed", () => {
  expect(decide(paid, { ...asked, trialTaken: true })).toMatchObject({
    state: "failed",
    failureReason: "The free trial was taken before.",
    paymentStatus: null,
    mismatch: null,
  });
});
