import { expect, test } from "bun:test";
import { evaluateLicences } from "@/domain/application/evaluate-licences";

const now = new Date("2026-06-01T00:00:00Z");
const [past, later, muchLater] = [new Date("2026-05-01"), new Date("2026-07-01"), new Date("2027-01-01")];
const good = {
  level: "premium",
  devices: 1,
  paymentStatus: "good",
  paymentFellAt: null,
  suspendedAt: null,
  revokedAt: null,
  redeemedAt: past,
  expiresAt: null,
  livemode: null,
} as const;
const live = { livemode: true, now: () => now };
const expired = { ...good, expiresAt: past };
const disputed = { ...good, paymentStatus: "disputed" } as const;
const refunded = { ...good, paymentStatus: "refunded" } as const;
const lost = { ...good, paymentStatus: "revoked" } as const;

test("without a licence the verdict is NO_LICENSE", () => {
  expect(evaluateLicences(live, [])).toEqual({ code: "NO_LICENSE" });
});

test("a single licence decides the verdict", () => {
  const cases = [
    [good, "VALID"],
    [{ ...good, expiresAt: later }, "VALID"],
    [expired, "EXPIRED"],
    [{ ...good, expiresAt: now }, "EXPIRED"],
    [disputed, "DISPUTED"],
    [refunded, "REVOKED"],
    [lost, "REVOKED"],
    [{ ...good, suspendedAt: past }, "REVOKED"],
    [{ ...good, revokedAt: past }, "REVOKED"],
    [{ ...good, livemode: true }, "VALID"],
    [{ ...good, livemode: false }, "REVOKED"],
    [{ ...disputed, expiresAt: past }, "EXPIRED"],
    // a dispute ended its time
    [{ ...disputed, expiresAt: past, paymentFellAt: past }, "DISPUTED"],
  ] as const;
  for (const [licence, code] of cases) expect(evaluateLicences(live, [licence]).code).toBe(code);
});

test("of several licences the longest valid one counts, whatever the others are", () => {
  const timed = { ...good, expiresAt: later };
  const longer = { ...good, level: "longer", expiresAt: muchLater };
  const lifetime = { ...good, level: "lifetime" };
  expect(evaluateLicences(live, [expired, timed, disputed, longer])).toMatchObject({
    entitlement: { type: "longer" },
  });
  expect(evaluateLicences(live, [timed, lifetime, longer, lost])).toEqual({
    code: "VALID",
    entitlement: { type: "lifetime", expiresAt: null },
    lasting: 1,
  });
});

test("if none is valid, the one redeemed last gives the reason", () => {
  expect(evaluateLicences(live, [disputed, expired, lost]).code).toBe("DISPUTED");
  expect(evaluateLicences(live, [lost, disputed]).code).toBe("REVOKED");
});
