import { expect, test } from "bun:test";
import { day } from "@/contract/time";
import { judge, type Standing } from "@/domain/payments/subscriptions/judge";
import { endsIfRefunded, standingOf } from "@/domain/payments/subscriptions/standing";

const at = (days: number) => new Date(Date.UTC(2026, 0, 1) + days * day);
const running: Standing = {
  status: "active",
  cancelsAt: null,
  endedAt: null,
  collectionPaused: false,
  periodEndsAt: at(30),
  processing: false,
};
const paidUntil = at(30);

test("a running subscription renews at its period's end, and its licence has three days more", () => {
  expect(judge(running, paidUntil)).toEqual({
    status: "active",
    renewsAt: at(30),
    endsAt: null,
    endedAt: null,
    entitledUntil: at(33),
  });
});

test("a trial is good until it ends, and then as long as a renewal that is due", () => {
  const trial = { ...running, status: "trialing", periodEndsAt: at(7) };
  expect(judge(trial, at(7))).toMatchObject({ status: "trialing", renewsAt: at(7), entitledUntil: at(10) });
});

test("a cancelled one ends when it says, without grace and without a charge", () => {
  const ending = judge({ ...running, cancelsAt: at(30) }, paidUntil);
  expect(ending).toMatchObject({ status: "ending", renewsAt: null, endsAt: at(30), entitledUntil: at(30) });
});

test("one that ended at once keeps what was paid", () => {
  const ended = judge({ ...running, status: "canceled", endedAt: at(5) }, paidUntil);
  expect(ended).toMatchObject({ status: "ended", endsAt: at(5), endedAt: at(5), entitledUntil: at(30) });
});

test("a failed renewal has the grace of what was paid, although Stripe's period moved on", () => {
  for (const status of ["past_due", "unpaid", "a status that Stripe adds"]) {
    const failed = judge({ ...running, status, periodEndsAt: at(60) }, paidUntil);
    expect(failed).toMatchObject({ status: "past_due", renewsAt: null, entitledUntil: at(33) });
  }
});

test("while a bank debit is on its way there are fourteen days of grace, and no whole period", () => {
  const debit = { ...running, periodEndsAt: at(60), processing: true };
  expect(judge(debit, paidUntil).entitledUntil).toEqual(at(44));
  expect(judge({ ...debit, processing: false }, paidUntil).entitledUntil).toEqual(at(33));
});

test("a pause of either kind ends with what was paid", () => {
  const paused = { status: "paused", renewsAt: null, entitledUntil: at(30) } as const;
  expect(judge({ ...running, status: "paused" }, paidUntil)).toMatchObject(paused);
  expect(judge({ ...running, collectionPaused: true }, paidUntil)).toMatchObject(paused);
});

const paid = {
  state: "succeeded",
  disputeStatus: null,
  disputedAt: null,
  refundedAt: null,
  refundKeeps: false,
  periodEndsAt: at(30),
  paidAmount: 300,
} as const;

test("a dispute of any payment holds the licence, and a lost one ends it", () => {
  const open = { ...paid, state: "disputed", disputeStatus: "needs_response", disputedAt: at(3) } as const;
  const lost = { ...open, disputeStatus: "lost", disputedAt: at(2) };
  expect(standingOf([paid, open])).toEqual({ paymentStatus: "disputed", fellAt: at(3) });
  expect(standingOf([open, paid, lost])).toEqual({ paymentStatus: "revoked", fellAt: at(2) });
});

test("only a refund of the current period ends the licence", () => {
  const refunded = { ...paid, state: "refunded", refundedAt: at(4) } as const;
  const next = { periodEndsAt: at(60) };
  expect(standingOf([{ ...refunded, ...next }, paid])).toEqual({ paymentStatus: "refunded", fellAt: at(4) });
  expect(standingOf([{ ...paid, ...next }, refunded])).toEqual({ paymentStatus: "good", fellAt: null });
});

test("a switch leaves two invoices of one period, and only both refunded give it back", () => {
  const refunded = { ...paid, state: "refunded", refundedAt: at(4) } as const;
  const difference = { ...refunded, refundedAt: at(6) };
  const free = { ...paid, paidAmount: 0 };
  expect(standingOf([difference, paid])).toEqual({ paymentStatus: "good", fellAt: null });
  expect(standingOf([difference, free, refunded])).toEqual({ paymentStatus: "refunded", fellAt: at(6) });
  expect(standingOf([free])).toEqual({ paymentStatus: "good", fellAt: null });
});

test("a refund that staff made to keep the licence ends nothing", () => {
  const kept = { ...paid, state: "refunded", refundedAt: at(4), refundKeeps: true } as const;
  expect(standingOf([kept, paid])).toEqual({ paymentStatus: "good", fellAt: null });
});

test("a refund would end the licence only as the last that is paid of the current period", () => {
  const older = { ...paid, periodEndsAt: at(0) };
  const switched = { ...paid, paidAmount: 200 };
  const gone = { ...paid, state: "refunded", refundedAt: at(4) } as const;
  expect(endsIfRefunded([paid, older], paid)).toBe(true);
  expect(endsIfRefunded([paid, older], older)).toBe(false);
  expect(endsIfRefunded([switched, paid], paid)).toBe(false);
  expect(endsIfRefunded([switched, gone], switched)).toBe(true);
  const lost = { ...older, state: "disputed", disputeStatus: "lost", disputedAt: at(1) } as const;
  expect(endsIfRefunded([paid, lost], paid)).toBe(false);
});
