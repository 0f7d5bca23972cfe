import { expect, test } from "bun:test";
import { evaluateLicences } from "@/domain/application/evaluate-licences";

const now = new Date("2026-06-01T00:00:00Z");
const past = new Date("2026-05-01");
const good = {
  paymentStatus: "good",
  paymentFellAt: null,
  suspendedAt: null,
  revokedAt: null,
  expiresAt: null,
} as const;
const disputed = { ...good, paymentStatus: "disputed" } as const;
const active = [{ level: "premium", devices: 1, until: Infinity, offer: null }];
const verdict = (owner: Parameters<typeof evaluateLicences>[1]) =>
  evaluateLicences({ now: () => now }, owner).code;

test("without a licence the verdict is NO_LICENSE", () => {
  expect(verdict({ active: [], newest: null })).toBe("NO_LICENSE");
});

test("one active licence is enough, whatever the one redeemed last is", () => {
  expect(verdict({ active, newest: disputed })).toBe("VALID");
});

test("if none is active, the one redeemed last gives the reason", () => {
  const cases = [
    [{ ...good, expiresAt: past }, "EXPIRED"],
    [{ ...good, expiresAt: now }, "EXPIRED"],
    [disputed, "DISPUTED"],
    [{ ...good, paymentStatus: "refunded" }, "REVOKED"],
    [{ ...good, paymentStatus: "revoked" }, "REVOKED"],
    [{ ...good, suspendedAt: past }, "REVOKED"],
    [{ ...good, revokedAt: past }, "REVOKED"],
    // bought in the other Stripe mode
    [good, "REVOKED"],
    [{ ...disputed, expiresAt: past }, "EXPIRED"],
    // a dispute ended its time
    [{ ...disputed, expiresAt: past, paymentFellAt: past }, "DISPUTED"],
  ] as const;
  for (const [newest, code] of cases)
    expect([newest, verdict({ active: [], newest })]).toEqual([newest, code]);
});
