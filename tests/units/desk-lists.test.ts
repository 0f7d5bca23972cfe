import { describe, expect, test } from "bun:test";
import {
  type Attention,
  attention,
  type AttentionKind,
  attentionKinds,
  mostCounted,
} from "@/contract/desk/attention";
import {
  type CustomerDetails,
  customerDetails,
  type LicenceDetails,
  licenceDetails,
  noteBody,
  type NoteRow,
  type PaymentDetails,
  paymentDetails,
  type TicketDetails,
  ticketDetails,
} from "@/contract/desk/details";
import {
  type DeskList,
  deskLists,
  type DeskRow,
  deskRows,
  filterQuery,
  listCount,
  listQuery,
  subjectIn,
} from "@/contract/desk/lists";
import { pageOf } from "@/contract/desk/pages";
import type {
  AuditRow,
  CustomerRow,
  DeskActor,
  LicenceRow,
  PaymentRow,
  RefundRow,
  TicketRow,
} from "@/contract/desk/rows";
import { mostFound, searchBody, type SearchResult, searchResult } from "@/contract/desk/search";

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

  test("answers rows and what comes next", () => {
    expect(pageOf(deskRows[list]).safeParse({ rows: [], next: null }).success).toBe(true);
    expect(pageOf(deskRows[list]).safeParse({ rows: [{ id: anId }], next: null }).success).toBe(false);
  });
});

test("a subject is named by its kind, which may be two words, and an id with anything in it", () => {
  expect(subjectIn("discord user:81")).toEqual({ kind: "discord user", id: "81" });
  expect(subjectIn("mail:a:b")).toEqual({ kind: "mail", id: "a:b" });
  for (const wrong of ["", ":", "licence:", ":1", "nobody:1"]) expect(subjectIn(wrong)).toBeNull();
});

test("a count says whether it stopped before the end", () => {
  expect(listCount.safeParse({ count: 3, more: false }).success).toBe(true);
});

test("a note has 1 to 4,000 characters of text", () => {
  expect(noteBody.parse({ text: "Called twice.\r\n\u202eIs nice." }).text).toBe("Called twice.\nIs nice.");
  for (const text of ["", " \n", "\u200b", "x".repeat(4_001)]) {
    expect(noteBody.safeParse({ text }).success).toBe(false);
  }
});

test("a search has text", () => {
  expect(searchBody.parse({ q: "  ada " }).q).toBe("ada");
  for (const q of ["", "  ", "x".repeat(255)]) expect(searchBody.safeParse({ q }).success).toBe(false);
});

const at = "2026-03-01T10:00:00.000Z";
const customer = { id: anId, username: "ada" };
const actor: DeskActor = { kind: "staff", id: anId, name: null, role: "support", via: "desk" };
const rows: { [L in DeskList]: DeskRow<L> } = {
  customers: {
    ...customer,
    email: "ada@example.com",
    created_at: at,
    two_factor: false,
    active_license: true,
  } satisfies CustomerRow,
  payments: {
    id: anId,
    session_id: "cs_1",
    payment_id: null,
    status: "disputed",
    email: null,
    customer: null,
    offer: "lifetime",
    quantity: 1,
    bill: { currency: "usd", asked: 500, off: 0, tax: 0, tax_included: 0, credit: 0, paid: 500, refunded: 0 },
    dispute: { status: "needs_response", reason: null, amount: 500, currency: "usd", since: at, due: at },
    mismatch: null,
    created_at: at,
    paid_at: at,
  } satisfies PaymentRow,
  licences: {
    id: anId,
    key: "LK-•••-ABCD",
    status: "other_mode",
    offer: null,
    days: null,
    devices: 1,
    customer,
    payment: null,
    created_at: at,
    redeemed_at: at,
    expires_at: null,
  } satisfies LicenceRow,
  subscriptions: {
    id: anId,
    status: "past_due",
    offer: "month",
    email: "ada@example.com",
    customer,
    amount: 300,
    currency: "usd",
    interval: "month",
    renews_at: null,
    ends_at: null,
    created_at: at,
  },
  tickets: {
    id: anId,
    number: 7,
    topic: "other",
    status: "closed",
    waiting_for: null,
    customer,
    opened_at: at,
    closed_at: at,
  } satisfies TicketRow,
  refunds: {
    id: anId,
    payment: anId,
    amount: 500,
    currency: "usd",
    state: "proposed",
    proposed_by: actor,
    decided_by: null,
    reason: "Asked for it",
    created_at: at,
    decided_at: null,
  } satisfies RefundRow,
  audit: {
    id: anId,
    at,
    actor,
    action: "licence.redeemed",
    subject: { kind: "licence", id: anId },
    reason: null,
    details: null,
  } satisfies AuditRow,
};

test("details are the row, its timeline and what belongs to it", () => {
  const note: NoteRow = { id: anId, at, by: actor, text: "Is nice." };
  const timeline = [rows.audit];
  const ofCustomer: CustomerDetails = {
    ...rows.customers,
    staff: null,
    timezone: "UTC",
    timeline,
    licences: [rows.licences],
    payments: [rows.payments],
    devices: [],
    subscriptions: [rows.subscriptions],
    tickets: [rows.tickets],
    notes: [note],
    link: null,
  };
  const ofPayment: PaymentDetails = {
    ...rows.payments,
    method: "card",
    failure_reason: null,
    invoice_url: null,
    gift: null,
    fraud_warned_at: null,
    timeline,
    licences: [],
    subscription: { ...rows.subscriptions, licence: rows.licences, ends_if_refunded: true },
    refunds: [rows.refunds],
  };
  const ofLicence: LicenceDetails = {
    ...rows.licences,
    suspended_at: null,
    revoked_at: null,
    extensions: [{ days: 3, added_at: at }],
    bought_with: rows.payments,
    timeline,
  };
  const ofTicket: TicketDetails = {
    ...rows.tickets,
    via: "site",
    name: "ada",
    discord_id: null,
    question: "Why?",
    claimed_by: null,
    waiting_since: null,
    closed_by: "customer",
    close_reason: null,
    stars: 5,
    rating_comment: null,
    messages: [],
    timeline,
  };
  expect(customerDetails.parse(ofCustomer)).toEqual(ofCustomer);
  expect(paymentDetails.parse(ofPayment)).toEqual(ofPayment);
  expect(licenceDetails.parse(ofLicence)).toEqual(ofLicence);
  expect(ticketDetails.parse(ofTicket)).toEqual(ofTicket);
});

test("a search finds at most five of each kind", () => {
  const found: SearchResult = {
    customers: Array.from({ length: mostFound }, () => rows.customers),
    payments: [rows.payments],
    licences: [rows.licences],
    subscriptions: [],
    tickets: [rows.tickets],
  };
  expect(searchResult.parse(found)).toEqual(found);
});

test("attention counts up to a thousand of each kind", () => {
  const line = (kind: AttentionKind, count: number): Attention[number] => ({
    kind,
    count,
    since: at,
    due: null,
    link: "/desk",
  });
  expect(attention.safeParse(attentionKinds.map((kind) => line(kind, mostCounted))).success).toBe(true);
  for (const count of [0, mostCounted + 1]) {
    expect(attention.safeParse([line("disputes", count)]).success).toBe(false);
  }
});
