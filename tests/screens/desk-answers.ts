/** What the shop answers to members of staff, for screen tests of the desk. */
import type {
  AuditRow,
  CustomerRow,
  LicenceRow,
  PaymentRow,
  CorrectionRow,
  RefundRow,
  SubscriptionRow,
  TicketRow,
} from "@/contract/wire/desk/rows";
import type {
  CustomerDetails,
  LicenceDetails,
  PaymentDetails,
  SubscriptionDetails,
  TicketDetails,
} from "@/contract/wire/desk/details";
import type { StaffRole } from "@/core/base/actor";
import { permissionsOf } from "@/domain/permissions";
import { screen, waitFor, within } from "@testing-library/react";
import { ada, type Answers, ok, type visit } from "./browser";

/** Names and texts are people's: none of it may ever be markup. */
export const hostile = "<img src=x onerror=alert(1)>";

const at = "2026-03-04T05:06:07.000Z";
export const idOf = (place: number) => `01a1fd74-495b-730b-a5fe-${String(place).padStart(12, "0")}`;

export const customerRow = (place: number): CustomerRow => ({
  id: idOf(place),
  username: `customer-${place}`,
  email: `customer-${place}@example.com`,
  created_at: at,
  email_confirmed: true,
  two_factor: false,
  active_license: true,
  level: { id: "premium", name: "Wisp Premium" },
});

const licenceRow: LicenceRow = {
  id: idOf(501),
  key: "WISP-••••-••••-••••-7K2M",
  status: "active",
  offer: "premium",
  level: { id: "premium", name: "Wisp Premium" },
  days: 30,
  devices: 1,
  customer: { id: idOf(1), username: "customer-1" },
  buyer: hostile,
  payment: idOf(601),
  created_at: at,
  redeemed_at: at,
  expires_at: at,
};

const paymentRow: PaymentRow = {
  id: idOf(601),
  session_id: "cs_test_1",
  payment_id: "pi_test_1",
  status: "succeeded",
  email: hostile,
  customer: { id: idOf(1), username: "customer-1" },
  redeemed_by: null,
  offer: "premium",
  level: { id: "premium", name: "Wisp Premium" },
  quantity: 1,
  bill: {
    currency: "usd",
    asked: 999,
    off: 0,
    tax: 0,
    tax_included: 0,
    credit: 0,
    outside: 0,
    paid: 999,
    refunded: 0,
  },
  dispute: null,
  mismatch: null,
  created_at: at,
  paid_at: at,
};

const sam = { kind: "staff", id: idOf(9), name: "sam", role: "support", via: "desk" } as const;

export const refundRow: RefundRow = {
  id: idOf(701),
  payment: paymentRow.id,
  email: hostile,
  customer: { id: idOf(1), username: "customer-1" },
  amount: 999,
  currency: "usd",
  state: "proposed",
  proposed_by: sam,
  decided_by: null,
  reason: hostile,
  created_at: at,
  decided_at: null,
};

export const correctionRow: CorrectionRow = {
  id: idOf(702),
  payment: paymentRow.id,
  receiver: false,
  present_email: "ada@exmaple.com",
  email: "ada@example.com",
  state: "proposed",
  proposed_by: sam,
  decided_by: null,
  reason: hostile,
  created_at: at,
  decided_at: null,
};

const auditRow: AuditRow = {
  id: idOf(801),
  at,
  actor: sam,
  action: "payment.refund_proposed",
  subject: { kind: "payment", id: paymentRow.id, name: hostile },
  customer: null,
  currency: "usd",
  reason: hostile,
  details: { amount: 999 },
  names: {},
};

export const customerDetails: CustomerDetails = {
  ...customerRow(1),
  staff: null,
  timezone: "Europe/Berlin",
  timeline: [auditRow],
  licences: [licenceRow],
  payments: [paymentRow],
  devices: [],
  subscriptions: [],
  tickets: [],
  notes: [{ id: idOf(901), at, by: sam, text: hostile }],
  link: {
    discord_id: "123456789012345678",
    name: "ada#1",
    linked_at: at,
    member: true,
    holds_role: true,
    roles: null,
  },
};

export const paymentDetails: PaymentDetails = {
  ...paymentRow,
  product: "Wisp Premium",
  method: "card",
  failure_reason: null,
  invoice_url: null,
  gift: null,
  emails: [],
  tax_facts: {
    invoice_number: null,
    country: "DE",
    tax_id: null,
    tax_id_kind: null,
    card_brand: "visa",
    card_last4: "4242",
    fee: { amount: 59, currency: "usd" },
    payout: "po_1",
    payout_at: at,
  },
  fraud_warned_at: null,
  timeline: [auditRow],
  licences: [licenceRow],
  subscription: null,
  refunds: [],
  corrections: [],
};

const subscriptionRow: SubscriptionRow = {
  id: idOf(603),
  status: "active",
  offer: "month",
  level: { id: "premium", name: "Wisp Premium" },
  email: "customer-2@example.com",
  customer: { id: idOf(2), username: "customer-2" },
  amount: 300,
  currency: "usd",
  interval: "month",
  renews_at: at,
  ends_at: null,
  created_at: at,
};

/** The payment of a renewal, whose licence was bought with its subscription's first payment. */
export const renewalDetails = {
  ...paymentDetails,
  id: idOf(602),
  session_id: "in_test_2",
  payment_id: "pi_test_2",
  customer: null,
  offer: "month",
  bill: { ...paymentDetails.bill, asked: 300, paid: 300 },
  licences: [],
  subscription: {
    ...subscriptionRow,
    licence: { ...licenceRow, id: idOf(502), key: "WISP-••••-••••-••••-9QRS", payment: subscriptionRow.id },
    ends_if_refunded: true,
  },
} satisfies PaymentDetails;

export const subscriptionDetails: SubscriptionDetails = {
  ...subscriptionRow,
  stripe_id: "sub_test_1",
  next_amount: 300,
  changes_to: null,
  changes_at: null,
  card: null,
  looked_at: at,
  timeline: [],
  licences: [],
  payments: [],
};

export const licenceDetails: LicenceDetails = {
  ...licenceRow,
  suspended_at: null,
  revoked_at: null,
  extensions: [],
  bought_with: paymentRow,
  timeline: [],
};

const ticketRow: TicketRow = {
  id: idOf(1001),
  number: 12,
  topic: "Device",
  status: "open",
  waiting_for: "staff",
  waiting_since: at,
  customer: { id: idOf(1), username: "customer-1" },
  name: hostile,
  claimer: null,
  last: { author: "customer", text: hostile },
  opened_at: at,
  closed_at: null,
};

const message = (place: number, author: TicketDetails["messages"][number]["author"], text: string) => ({
  id: idOf(place),
  author,
  name: author === "customer" ? hostile : "sam",
  text,
  at,
  edited_at: null,
  deleted: false,
  files: [],
});

export const ticketDetails: TicketDetails = {
  ...ticketRow,
  via: "site",
  discord_id: null,
  question: "It asks for my token again.",
  claimed_by: null,
  closed_by: null,
  close_reason: null,
  stars: null,
  rating_comment: null,
  messages: [message(1101, "customer", hostile), message(1102, "note", "Seen this before.")],
  timeline: [auditRow],
};

export const page = (rows: readonly object[], next: string | null = null) => ok({ rows, next });

export const me = (role: StaffRole = "owner") => ({
  id: "olgas-id",
  name: "olga",
  role,
  may: permissionsOf(role),
  confirmed_until: "2026-01-01T00:10:00.000Z",
});

/** The desk as a member of staff who has entered finds it. */
export const asStaff = (role: StaffRole = "owner"): Answers => ({
  "GET /api/user/me": ok({ ...ada, username: "olga", mfa: true, staff: role }),
  "GET /api/desk/me": ok(me(role)),
  "GET /api/desk/attention": ok([]),
  "GET /api/desk/offers": page([
    { id: "premium", name: "Wisp Premium", state: "on_sale", recurring: null },
    { id: "quarter", name: "Three months", state: "retired", recurring: null },
  ]),
  "GET /api/desk/levels": page([{ id: "premium", name: "Wisp Premium", retired_at: null }]),
  "GET /api/desk/figures": ok(figures),
  "GET /api/desk/figures/offers": ok({ ...figures, rows: [] }),
  "GET /api/desk/customers": page([customerRow(1), customerRow(2), customerRow(3)]),
  "GET /api/desk/payments": page([paymentRow]),
  "GET /api/desk/licences": page([licenceRow]),
  "GET /api/desk/refunds": page([refundRow]),
  "GET /api/desk/corrections": page([correctionRow]),
  "GET /api/desk/tickets": page([ticketRow]),
  [`GET /api/desk/tickets/${ticketDetails.id}`]: ok(ticketDetails),
  "GET /api/desk/replies": ok([{ id: idOf(1201), name: "New token", text: "Copy the token anew." }]),
  "GET /api/desk/audit/actions": ok(["payment.refund_proposed"]),
  "GET /api/desk/audit": page([auditRow]),
  [`GET /api/desk/customers/${customerDetails.id}`]: ok(customerDetails),
  [`GET /api/desk/payments/${paymentDetails.id}`]: ok(paymentDetails),
  [`GET /api/desk/payments/${renewalDetails.id}`]: ok(renewalDetails),
  [`GET /api/desk/subscriptions/${subscriptionDetails.id}`]: ok(subscriptionDetails),
  [`GET /api/desk/licences/${licenceDetails.id}`]: ok(licenceDetails),
  "POST /api/desk/search": ok({
    customers: [customerRow(1)],
    payments: [paymentRow],
    licences: [licenceRow],
    subscriptions: [],
    tickets: [],
    why: { [paymentRow.id]: { by: "card", text: "4242" } },
  }),
});

const sums = {
  gross: 5_000,
  refunded: 999,
  disputed: 0,
  net: 4_001,
  average: 1_000,
  orders: 5,
  checkouts: 10,
  conversion: 0.5,
  new_accounts: 2,
  active_licences: 7,
  mrr: null,
};

export const figures = {
  from: "2026-03-01",
  to: "2026-03-02",
  bucket: "day",
  tz: "Europe/Berlin",
  currency: "usd",
  currencies: ["usd"],
  totals: sums,
  previous: { ...sums, gross: 4_000, conversion: 0.8 },
  by_level: null as object[] | null,
  series: [
    { ...sums, date: "2026-03-01", gross: 3_000 },
    { ...sums, date: "2026-03-02", gross: 2_000, conversion: null },
  ],
};

export const subscriptionFigures = {
  from: "2026-03-01",
  to: "2026-03-02",
  tz: "Europe/Berlin",
  currency: "usd",
  running: { start: 1_196, end: 1_200 },
  started: 9,
  ended: 5,
  churn: 5 / 1_196,
  trials: { begun: 20, paid: 12, running: 3 },
  payments: { failed: 6, recovered: 5 },
  more: false,
};

type User = ReturnType<typeof visit>["user"];
export const press = (user: User, name: string) =>
  screen.findByRole("button", { name }).then((button) => user.click(button));
export const dialogNamed = async (name: string) => within(await screen.findByRole("dialog", { name }));

const isInMenu = (name: string) =>
  waitFor(() => {
    if (screen.queryByRole("button", { name })) return false;
    screen.getByRole("button", { name: "More operations" });
    return true;
  });

/** Chooses what is behind ⋯. */
export async function pressInMenu(user: User, menu: string, name: string) {
  await press(user, menu);
  await user.click(await screen.findByRole("menuitem", { name }));
}

/** Opens an operation, of a row where `button` also names that, fills it in with a reason, and presses its button. */
export async function operate(user: User, button: string, name = button, fill: Record<string, string> = {}) {
  if (button !== name) await pressInMenu(user, `More for ${button.slice(name.length + 1)}`, name);
  else if (await isInMenu(name)) await pressInMenu(user, "More operations", name);
  else await press(user, button);
  const dialog = await dialogNamed(name);
  for (const [label, text] of Object.entries({ ...fill, Reason: "Because" })) {
    const field = dialog.getByLabelText(label);
    if (field instanceof HTMLSelectElement) await user.selectOptions(field, text);
    else if (field instanceof HTMLInputElement && field.type === "checkbox") await user.click(field);
    else {
      await user.clear(field);
      await user.type(field, text);
    }
  }
  await user.click(dialog.getByRole("button", { name }));
  return dialog;
}
