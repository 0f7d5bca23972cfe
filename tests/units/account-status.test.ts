/** Every state of an account: what it reads, the one thing to do, and what else it can do. */
import { expect, test } from "bun:test";
import { day, hour } from "@/contract/vocabulary/time";
import type { Licence, UnusedKey } from "@/contract/wire/licences";
import type { Offer } from "@/contract/wire/offers";
import type { Payment } from "@/contract/wire/payments";
import type { Subscription } from "@/contract/wire/subscriptions";
import { accountStatus, type AccountStatus, type KnownAccount } from "@/web/parts/licence/account-status";
import { otherPlans } from "@/web/screens/dashboard/license/other-plans";

const now = new Date("2026-11-23T12:00:00.000Z");
const at = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();

const licence = (status: Licence["status"], more: Partial<Licence> = {}): Licence => ({
  key: `WISP-${status}`,
  type: "premium",
  level: { id: "premium", name: "Wisp Premium" },
  active: status === "active",
  disputed: status === "disputed",
  redeemed_date: at(-30 * day),
  expiry_date: null,
  status,
  payment_id: "pi_1",
  subscription: null,
  renews_at: null,
  ...more,
});
const timed = (end: number, more: Partial<Licence> = {}) =>
  licence(end > 0 ? "active" : "expired", { expiry_date: at(end), ...more });
const offer = (id: string, more: Partial<Offer> = {}): Offer => ({
  id,
  name: id,
  amount: 500,
  currency: "usd",
  days: null,
  devices: 1,
  level: { id: "premium", name: "Wisp Premium" },
  includes: [],
  features: [],
  recurring: null,
  ...more,
});
const lifetime = offer("premium");
const thirtyDays = offer("days", { days: 30 });
const team = { id: "team", name: "Team" };
const teamDays = offer("team-days", { days: 30, level: team });
const monthly = offer("month", { recurring: { interval: "month", trial_days: null } });
const yearly = offer("year", { recurring: { interval: "year", trial_days: null } });
const subscription = (status: Subscription["status"], more: Partial<Subscription> = {}): Subscription => ({
  id: "order_1",
  offer: "month",
  status,
  renews_at: at(20 * day),
  ends_at: null,
  changes_at: null,
  changes_to: null,
  amount: 300,
  currency: "usd",
  interval: "month",
  card: null,
  license_key: null,
  ...more,
});
const paying = (status: Subscription["status"], more: Partial<Subscription> = {}): Partial<KnownAccount> => ({
  licences: [timed(23 * day, { subscription: "order_1" })],
  subscriptions: [subscription(status, more)],
});
const payment = (status: Payment["status"], more: Partial<Payment> = {}) =>
  ({ payment_id: "pi_1", status, bill: { paid: 500, currency: "usd" }, ...more }) as Payment;
const unused: UnusedKey[] = [{ key: "WISP-NEW", name: "Wisp Premium", days: null, payment_id: "pi_2" }];

/** A running account on a computer, in a shop that sells a lifetime. */
const usual: KnownAccount = {
  licences: [],
  unused: [],
  subscriptions: [],
  payments: [],
  offers: [lifetime],
  pastDue: null,
  level: null,
  installed: true,
  downloaded: false,
  reach: "here",
  now,
};

/** State, title, sentence, then what can be pressed: the first, the quiet ones, and those of the plan's page. */
type Row = [AccountStatus["state"], string, string | null, string | null, string, string?];

const states: Record<string, [Partial<KnownAccount>, Row]> = {
  "nothing yet": [{}, ["none", "No license yet", "Buy one, or redeem a key you have.", "buy", "redeem"]],
  "nothing yet, and nothing on sale": [
    { offers: [] },
    ["none", "No license yet", "Redeem a key you have.", "redeem", ""],
  ],
  "paid and unredeemed": [
    { unused },
    ["unused", "You have an unused key", "Add it to your account to start.", "add", ""],
  ],
  "paid, and the money is on its way": [
    { payments: [payment("processing", { level: team })] },
    [
      "pending",
      "Team · On its way",
      "Your payment is on its way. Your license starts once it arrives.",
      "payment",
      "",
    ],
  ],
  "subscribed, and the first money is on its way": [
    { licences: [timed(-day)], subscriptions: [subscription("pending", { renews_at: null })] },
    [
      "pending",
      "Wisp Premium · On its way",
      "Your payment is on its way. Your license starts once it arrives.",
      null,
      "",
      "drop",
    ],
  ],
  "ready to install": [
    { licences: [licence("active")], installed: false },
    ["ready", "Wisp Premium · Active · for life", null, "download", "key"],
  ],
  "ready to install, and downloaded": [
    { licences: [licence("active")], installed: false, downloaded: true },
    ["ready", "Wisp Premium · Active · for life", null, "token", "download key"],
  ],
  "ready to install, on a phone": [
    { licences: [licence("active")], installed: false, downloaded: true, reach: "mail" },
    ["ready", "Wisp Premium · Active · for life", null, "mail", "key"],
  ],
  "ready to install, on a phone without a confirmed mailbox": [
    { licences: [licence("active")], installed: false, reach: "link" },
    ["ready", "Wisp Premium · Active · for life", null, "link", "key"],
  ],
  running: [
    { licences: [licence("active"), timed(3 * day)] },
    ["running", "Wisp Premium · Active · for life", null, "download", "key"],
  ],
  "running until the latest end": [
    { licences: [timed(8 * day), timed(30 * day), licence("refunded")] },
    ["running", "Wisp Premium · Active · until Dec 23, 2026", null, "download", "key"],
  ],
  "a trial": [
    { ...paying("trialing"), offers: [monthly, yearly] },
    [
      "trial",
      "Wisp Premium · Trial",
      "Free until Dec 13, 2026, then USD 3.00.",
      "download",
      "key",
      "switch card invoices cancel",
    ],
  ],
  "a subscription": [
    paying("active"),
    [
      "running",
      "Wisp Premium · Active",
      "Renews on Dec 13, 2026 for USD 3.00.",
      "download",
      "key",
      "card invoices cancel",
    ],
  ],
  "somebody else's subscription, whose end needs nothing": [
    { licences: [timed(3 * day, { subscription: "order_1" })] },
    ["running", "Wisp Premium · Active · until Nov 26, 2026", null, "download", "key"],
  ],
  canceled: [
    paying("ending", { renews_at: null, ends_at: at(12 * day) }),
    [
      "ending",
      "Wisp Premium · Active",
      "It won't renew. You keep Wisp Premium until Dec 5, 2026.",
      "resume",
      "download key",
      "card invoices",
    ],
  ],
  paused: [
    paying("paused"),
    [
      "paused",
      "Wisp Premium · Paused",
      "Nothing is charged until Dec 13, 2026. Your license continues then.",
      "download",
      "key",
      "card invoices cancel",
    ],
  ],
  "ending, where time is sold": [
    { licences: [timed(5 * day + hour)], offers: [lifetime, thirtyDays] },
    [
      "ending",
      "Wisp Premium · Active · until Nov 28, 2026",
      "It ends in 5 days. Time you buy now is added at the end.",
      "renew",
      "download key",
    ],
  ],
  "ending, where a lifetime is sold": [
    { licences: [timed(5 * hour + 1)] },
    [
      "ending",
      "Wisp Premium · Active · until Nov 23, 2026",
      "It ends in 5 hours. A lifetime license never ends.",
      "upgrade",
      "download key",
    ],
  ],
  "ending, where more time of another level is sold too": [
    { licences: [timed(5 * day + hour, { level: team })], offers: [thirtyDays, teamDays] },
    [
      "ending",
      "Team · Active · until Nov 28, 2026",
      "It ends in 5 days. Time you buy now is added at the end.",
      "renew",
      "download key",
    ],
  ],
  "ending, where only another level is sold": [
    { licences: [timed(5 * day + hour, { level: team })] },
    ["ending", "Team · Active · until Nov 28, 2026", "It ends in 5 days.", "buy", "download key"],
  ],
  "of a higher level, beside a lifetime of a lower one": [
    { licences: [licence("active"), timed(20 * day, { level: team })], level: "team" },
    ["running", "Team · Active · until Dec 13, 2026", null, "download", "key"],
  ],
  "canceled, beside a lifetime of a lower level": [
    {
      licences: [licence("active"), timed(12 * day, { level: team, subscription: "order_1" })],
      level: "team",
      subscriptions: [subscription("ending", { renews_at: null, ends_at: at(12 * day) })],
    },
    [
      "ending",
      "Team · Active",
      "It won't renew. You keep Team until Dec 5, 2026.",
      "resume",
      "download key",
      "card invoices",
    ],
  ],
  "ending, and nothing on sale": [
    { licences: [timed(2 * day)], offers: [] },
    ["ending", "Wisp Premium · Active · until Nov 25, 2026", "It ends in 2 days.", "download", "key"],
  ],
  "ending, with an unused key": [
    { licences: [timed(3 * day + 1)], unused },
    [
      "ending",
      "Wisp Premium · Active · until Nov 26, 2026",
      "It ends in 3 days. Add your key to keep Wisp Premium.",
      "add",
      "download key",
    ],
  ],
  "ending, beside a disputed payment": [
    { licences: [timed(2 * day + 1), licence("disputed")], payments: [payment("disputed")] },
    [
      "ending",
      "Wisp Premium · Active · until Nov 25, 2026",
      "It ends in 2 days. Your USD 5.00 payment is disputed.",
      "download",
      "key support payment",
    ],
  ],
  "past due": [
    {
      ...paying("past_due", { renews_at: null, amount: null }),
      pastDue: { subscription: "order_1", until: at(3 * day) },
    },
    [
      "past_due",
      "Wisp Premium · Payment failed · active until Nov 26, 2026",
      "Your last payment failed. Update your card by Nov 26, 2026 to keep your license.",
      "card",
      "download key",
      "cancel invoices",
    ],
  ],
  "past due and canceled": [
    {
      ...paying("past_due", { renews_at: null, amount: null, ends_at: at(9 * day) }),
      pastDue: { subscription: "order_1", until: null },
    },
    [
      "past_due",
      "Wisp Premium · Payment failed",
      "Your last payment failed. Update your card to keep your license.",
      "card",
      "download key",
      "resume invoices",
    ],
  ],
  "past due, ended, and its licences unknown": [
    { pastDue: { subscription: "order_1", until: at(-day) } },
    [
      "past_due",
      "Wisp Premium · Payment failed · ended Nov 22, 2026",
      "Your last payment failed, and your license has ended. Update your card to get it back.",
      "card",
      "",
      "invoices",
    ],
  ],
  disputed: [
    { licences: [timed(-3 * day), licence("disputed")], payments: [payment("disputed")] },
    [
      "disputed",
      "Wisp Premium · Disputed",
      "Your USD 5.00 payment is disputed. Your license is paused until the bank decides.",
      "support",
      "payment",
    ],
  ],
  "disputed, and nobody bought it here": [
    { licences: [licence("disputed", { payment_id: null })] },
    [
      "disputed",
      "Wisp Premium · Disputed",
      "Your payment is disputed. Your license is paused until the bank decides.",
      "support",
      "",
    ],
  ],
  "disputed, with an unused key": [
    { licences: [licence("disputed")], unused },
    [
      "disputed",
      "Wisp Premium · Disputed",
      "Your payment is disputed. Your license is paused until the bank decides.",
      "add",
      "support payment",
    ],
  ],
  suspended: [
    { licences: [licence("refunded"), licence("suspended")] },
    [
      "suspended",
      "Wisp Premium · Suspended",
      "Support has suspended your license, so downloads and the Wisp Premium role are paused too.",
      "support",
      "",
    ],
  ],
  refunded: [
    { licences: [licence("refunded")] },
    [
      "refunded",
      "Wisp Premium · Refunded",
      "Your payment was refunded in full, which ended your license.",
      "again",
      "payment",
    ],
  ],
  revoked: [
    { licences: [licence("revoked")] },
    [
      "revoked",
      "Wisp Premium · Revoked",
      "Your license was revoked for good, by support or because the bank reversed its payment.",
      "support",
      "payment",
    ],
  ],
  "expired, where time is sold": [
    { licences: [timed(-9 * day), timed(-3 * day)], offers: [lifetime, thirtyDays] },
    ["expired", "Wisp Premium · Expired", "Your license expired on Nov 20, 2026.", "renew", ""],
  ],
  "expired, where a lifetime is sold": [
    { licences: [timed(-3 * day)] },
    ["expired", "Wisp Premium · Expired", "Your license expired on Nov 20, 2026.", "buy", ""],
  ],
  "expired, with an unused key": [
    { licences: [timed(-3 * day)], unused },
    [
      "expired",
      "Wisp Premium · Expired",
      "Your license expired on Nov 20, 2026. Add your key to keep using Wisp Premium.",
      "add",
      "",
    ],
  ],
  "expired since the list was fetched": [
    { licences: [{ ...timed(-1), status: "active", active: true }] },
    ["expired", "Wisp Premium · Expired", "Your license expired on Nov 23, 2026.", "buy", ""],
  ],
  "bought in the other mode": [
    { licences: [licence("other_mode")] },
    [
      "other_mode",
      "Wisp Premium · Not valid here",
      "This license was bought in the shop's other mode, test or live, so it doesn't work here.",
      "support",
      "payment",
    ],
  ],
};

for (const [name, [known, expected]] of Object.entries(states)) {
  test(`an account that is ${name} reads so, and has one thing to do`, () => {
    const { state, title, sentence, primary, quiet, billing } = accountStatus({ ...usual, ...known });
    const [, , , , , plan = ""] = expected;
    expect([state, title.join(" · "), sentence, primary, quiet.join(" "), billing.join(" ")]).toEqual([
      ...(expected.slice(0, 5) as [string, string, string | null, string | null, string]),
      plan,
    ]);
  });
}

test("what could be bought is named by the offer that does it", () => {
  const upgrading = accountStatus({ ...usual, licences: [timed(day)], offers: [monthly, lifetime] });
  expect(upgrading.offer?.id).toBe("premium");
  const renewing = accountStatus({ ...usual, licences: [timed(day)], offers: [lifetime, thirtyDays] });
  expect(renewing.offer?.id).toBe("days");
  const nothingAdds = { ...lifetime, adds: false };
  expect(accountStatus({ ...usual, licences: [timed(day)], offers: [nothingAdds] }).offer).toBeNull();
});

test("nothing that a customer with a disputed payment reads asks them to pay", () => {
  for (const [name, [known]] of Object.entries(states)) {
    const status = accountStatus({ ...usual, ...known });
    if (!(known.licences ?? []).some(({ disputed }) => disputed)) continue;
    const words = [...status.title, status.sentence, status.primary, ...status.quiet].join(" ");
    expect([name, /\b(buy|renew|purchase|upgrade|again)\b/i.exec(words)]).toEqual([name, null]);
  }
});

test("further plans are those with something of their own to do, without a second first action", () => {
  const known: KnownAccount = {
    ...usual,
    licences: [
      licence("active"),
      timed(9 * day),
      timed(6 * day, { key: "WISP-MONTH", subscription: "order_1" }),
      licence("suspended"),
    ],
    subscriptions: [
      subscription("ending", { renews_at: null, ends_at: at(6 * day) }),
      subscription("past_due", { id: "order_2" }),
      subscription("ended", { id: "order_0" }),
    ],
  };
  const others = otherPlans(known, accountStatus(known));
  expect(
    others.map(({ state, licence: one, primary, quiet, billing }) => [
      state,
      one?.key,
      primary,
      quiet,
      billing,
    ]),
  ).toEqual([
    ["ending", "WISP-MONTH", null, [], ["invoices"]],
    ["past_due", undefined, null, [], ["card", "cancel", "invoices"]],
    ["suspended", "WISP-suspended", null, ["support"], []],
  ]);
  expect(
    otherPlans({ ...usual, ...paying("active") }, accountStatus({ ...usual, ...paying("active") })),
  ).toEqual([]);
});
