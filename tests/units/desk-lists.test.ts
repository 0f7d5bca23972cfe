import { describe, expect, test } from "bun:test";
import { deskLists, filterQuery, listQuery, subjectIn } from "@/contract/wire/desk/lists";

const anId = "019a8f3e-52c1-7b1e-9a40-2f6c1d7e8b05";

const known = {
  customers: [{ staff: "viewer" }],
  payments: [
    { status: "open" },
    { offer: "lifetime", customer: anId },
    { from: "2026-03-01", to: "2026-03-31" },
    { from: "2026-03-01T10:00:00+02:00" },
  ],
  licences: [{ status: "other_mode" }, { offer: "lifetime", customer: anId, payment: anId }],
  subscriptions: [{ status: "past_due" }, { offer: "month", customer: anId }],
  tickets: [{ status: "open", waiting_for: "staff" }],
  refunds: [{ state: "failed" }],
  corrections: [{ state: "approved" }],
  audit: [
    { actor: "discord:81" },
    { action: "licence.issued" },
    { subject: `licence:${anId}`, from: "2026-03-01" },
  ],
} as const;

const unknown = {
  customers: [{ staff: "admin" }, { staff: "" }, { q: "ada" }],
  payments: [
    { status: "paid" },
    { status: "" },
    { customer: "ada" },
    { from: "yesterday" },
    { offer: "a b" },
  ],
  licences: [{ status: "other mode" }, { payment: "pi_1" }, { key: "x" }],
  subscriptions: [{ status: "canceled" }, { customer: "ada" }, { interval: "month" }],
  tickets: [{ status: "waiting" }, { waiting_for: "member" }, { waiting_for: "null" }],
  refunds: [{ state: "refused" }, { status: "made" }],
  corrections: [{ state: "made" }, { email: "ada@example.com" }],
  audit: [
    { action: "licence" },
    { subject: anId },
    { subject: `person:${anId}` },
    { actor: "a b" },
    { since: "1" },
  ],
} as const;

describe.each(deskLists.map((list) => [list] as const))("the list of %s", (list) => {
  test("takes its filters, alone and with a page", () => {
    for (const filters of [{}, ...known[list]]) {
      expect(filterQuery(list).safeParse(filters).success).toBe(true);
      expect(listQuery(list).safeParse({ ...filters, limit: "100", after: "x" }).success).toBe(true);
    }
  });

  test("refuses an unknown parameter and an unknown value", () => {
    for (const filters of unknown[list]) {
      expect(filterQuery(list).safeParse(filters).success).toBe(false);
      expect(listQuery(list).safeParse(filters).success).toBe(false);
    }
    expect(filterQuery(list).safeParse({ limit: "1" }).success).toBe(false);
  });

  test("has 50 rows unless asked for 1 to 100", () => {
    expect(listQuery(list).parse({}).limit).toBe(50);
    for (const limit of ["0", "101", "", "-1", "1.5", "all", "1e9"]) {
      expect(listQuery(list).safeParse({ limit }).success).toBe(false);
    }
  });
});

test("a subject is named by its kind, which may be two words, and an id with anything in it", () => {
  expect(subjectIn("discord user:81")).toEqual({ kind: "discord user", id: "81" });
  expect(subjectIn("mail:a:b")).toEqual({ kind: "mail", id: "a:b" });
  for (const wrong of ["", ":", "licence:", ":1", "nobody:1"]) expect(subjectIn(wrong)).toBeNull();
});
