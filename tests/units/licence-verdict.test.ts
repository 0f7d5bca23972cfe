import { expect, test } from "bun:test";
import { judgeLicences } from "@/domain/application/licence-verdict";

const now = new Date("2026-06-01T00:00:00Z");
const [past, later, muchLater] = [new Date("2026-05-01"), new Date("2026-07-01"), new Date("2027-01-01")];
const good = {
  type: "premium",
  paymentStanding: "good",
  suspendedAt: null,
  revokedAt: null,
  expiresAt: null,
  livemode: null,
} as const;
const live = { livemode: true };
const expired = { ...good, expiresAt: past };
const disputed = { ...good, paymentStanding: "disputed" } as const;
const refunded = { ...good, paymentStanding: "refunded" } as const;
const lost = { ...good, paymentStanding: "revoked" } as const;

test("no licence is no licence", () => {
  expect(judgeLicences([], now, live)).toEqual({ code: "NO_LICENSE" });
});

test("one licence says what it is", () => {
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
  ] as const;
  for (const [licence, code] of cases) expect(judgeLicences([licence], now, live).code).toBe(code);
});

test("of several the one that lasts longest entitles, whatever the others are", () => {
  const timed = { ...good, expiresAt: later };
  const longer = { ...good, type: "longer", expiresAt: muchLater };
  const lifetime = { ...good, type: "lifetime" };
  expect(judgeLicences([expired, timed, disputed, longer], now, live)).toMatchObject({
    entitlement: { type: "longer" },
  });
  expect(judgeLicences([timed, lifetime, longer, lost], now, live)).toEqual({
    code: "VALID",
    entitlement: { type: "lifetime", expiresAt: null },
  });
});

test("where none entitles, the one redeemed last says why", () => {
  expect(judgeLicences([disputed, expired, lost], now, live).code).toBe("DISPUTED");
  expect(judgeLicences([lost, disputed], now, live).code).toBe("REVOKED");
});
