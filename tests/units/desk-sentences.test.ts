import { expect, test } from "bun:test";
import type { AuditRow } from "@/contract/wire/desk/rows";
import { auditEvents } from "@/contract/wire/audit-events";
import { sentenceText } from "@/web/screens/desk/audit/sentences";

const olga = { kind: "staff", id: "1", name: "olga", role: "owner", via: "desk" } as const;
const shop = { kind: "shop", id: "shop", name: null, role: null, via: null } as const;
const entry = (action: string, differs: Partial<AuditRow>): AuditRow => ({
  id: "9",
  at: "2026-12-23T16:05:00.000Z",
  actor: olga,
  action,
  subject: { kind: "payment", id: "5", name: "ada@example.com" },
  customer: { id: "2", username: "ada" },
  currency: "usd",
  reason: null,
  details: null,
  names: {},
  ...differs,
});
const ada = { kind: "account", id: "2", name: "ada" };
const key = { kind: "licence", id: "7", name: "WISP-••••-KJ9C" };

test("the log is read as sentences: who did what to whom, with names, dates and money", () => {
  const says = (action: string, differs: Partial<AuditRow>) => sentenceText(entry(action, differs));
  expect(says("payment.refund_requested", { details: { refund: "3", amount: 1200 } })).toBe(
    "olga gave back USD 12.00 to ada@example.com.",
  );
  expect(says("payment.refund_made", { actor: shop, currency: "jpy", details: { amount: 250 } })).toBe(
    "Stripe sent JPY 250 back to ada@example.com.",
  );
  const settled = (action: string, dispute: string, state: string, was: string | null) =>
    says(action, {
      actor: shop,
      details: { dispute, refunded: 0, before: { state, dispute: was, refunded: 0 } },
    });
  expect(settled("payment.disputed", "needs_response", "succeeded", null)).toBe(
    "ada@example.com's bank disputed the payment.",
  );
  expect(settled("payment.disputed", "under_review", "disputed", "needs_response")).toBe(
    "The bank is deciding the dispute about ada@example.com's payment.",
  );
  expect(settled("payment.disputed", "lost", "disputed", "needs_response")).toBe(
    "The dispute about ada@example.com's payment is lost.",
  );
  expect(settled("payment.succeeded", "warning_needs_response", "succeeded", null)).toBe(
    "ada@example.com's bank asks about the payment.",
  );
  const rejected = { letter: "receipt", words: "550 5.1.1 No such mailbox" };
  expect(says("mail.rejected", { actor: shop, details: rejected })).toBe(
    "A mail server refused “Receipt” for ada@example.com: “550 5.1.1 No such mailbox”.",
  );
  const unnamed = { kind: "mail", id: "OWNER_EMAIL", name: null };
  expect(says("mail.rejected", { actor: shop, subject: unnamed, details: { letter: "notices" } })).toBe(
    "A mail server refused “Notices”.",
  );
  expect(says("mfa.reset_by_staff", { subject: ada })).toBe("olga turned off two-factor for ada.");
  expect(says("email.changed", { subject: ada, actor: { ...olga, id: "2", name: "ada" } })).toBe(
    "ada changed their email.",
  );
  expect(says("licence.extended", { subject: key, details: { days: 1 } })).toBe(
    "olga extended license WISP-••••-KJ9C by 1 day.",
  );
  const job = { kind: "licence job", id: "6", name: null };
  const made = { action: "import_customers", total: 3 };
  expect(says("licence_job.made", { subject: job, details: made })).toBe(
    "olga started to import a file of 3 customers.",
  );
  const moved = { before: null, after: "2026-12-28T12:00:00.000Z", cause: "renewed" };
  expect(says("licence.end_moved", { subject: key, actor: shop, details: moved })).toBe(
    "License WISP-••••-KJ9C runs until Dec 28, 2026.",
  );
  const removed = { subject: ada, details: { computers: ["c1"] }, names: { c1: "Desk PC" } };
  expect(says("device.reset_by_staff", removed)).toBe("olga removed Desk PC of ada.");
  const linked = { kind: "discord user", id: "81", name: "Ada#1" };
  expect(says("discord.linked", { subject: linked })).toBe(
    "olga linked the Discord user Ada#1 to ada's account.",
  );
  const terms = { name: "One month", amount: 200, currency: "usd", days: 30, devices: 1 };
  expect(
    says("offer.changed", {
      subject: { kind: "offer", id: "month", name: "One month" },
      currency: null,
      details: { before: { ...terms, amount: 150 }, after: { ...terms, devices: 3 } },
    }),
  ).toBe("olga changed One month: price from USD 1.50 to USD 2.00, seats from 1 to 3.");
  const team = { kind: "level", id: "team", name: null };
  const level = {
    name: "Team",
    place: 2,
    includesBefore: true,
    features: ["export"],
    roleId: null,
    retired: false,
  };
  expect(says("level.added", { subject: team, details: level })).toBe(
    "olga added the level team, called Team.",
  );
  const after = { ...level, features: ["export", "api"], roleId: "12", includesBefore: false };
  expect(says("level.changed", { subject: team, details: { before: level, after } })).toBe(
    "olga changed the level team: includes the one before from true to false; features from export to export, api; role from none to 12.",
  );
  expect(says("level.retired", { subject: team })).toBe("olga took the level team and its offers off sale.");
  expect(says("licence.level_changed", { subject: key, details: { before: "premium", after: "team" } })).toBe(
    "olga changed the level of license WISP-••••-KJ9C from premium to team.",
  );
});

test("every event is a sentence without ids, also of an erased account and without the details that a newer release adds", () => {
  for (const [action, { subject }] of Object.entries(auditEvents)) {
    const text = sentenceText(
      entry(action, {
        subject: {
          kind: subject,
          id: ["code", "level"].includes(subject) ? "SAVE" : "01a223b4-51f0",
          name: null,
        },
        customer: null,
        currency: null,
      }),
    );
    expect(text).toMatch(/^\S.*\w.*\.$/);
    expect(text).not.toMatch(/undefined|null|NaN|01a223b4|\[object/);
  }
  expect(sentenceText(entry("payment.blessed", {}))).toBe("olga: Payment blessed");
});
