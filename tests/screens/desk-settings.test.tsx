import { expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import type { BlockRow } from "@/contract/wire/desk/blocks";
import type { DeskJob, StuckJob } from "@/contract/wire/desk/jobs";
import type { StaffList } from "@/contract/wire/desk/staff";
import type { Backups, SettingRow, System } from "@/contract/wire/desk/system";
import type { Delivery, WebhookDetails } from "@/contract/wire/desk/webhooks";
import { ok, refused, toastSaying, visit } from "./browser";
import { pressInMenu, asStaff, hostile, idOf, operate, page, press } from "./desk-answers";

const at = "2026-03-04T05:06:07.000Z";

const staff: StaffList = {
  members: [
    {
      id: idOf(1),
      account: { id: idOf(11), username: "olga", email: "olga@example.com" },
      role: "owner",
      two_factor: true,
      asleep_since: null,
      since: at,
    },
    {
      id: idOf(2),
      account: { id: idOf(12), username: hostile, email: "sam@example.com" },
      role: "support",
      two_factor: false,
      asleep_since: at,
      since: at,
    },
  ],
  invitations: [{ id: idOf(3), email: "new@example.com", role: "viewer", created_at: at, expires_at: at }],
};

const webhook: WebhookDetails = {
  id: "ep_1",
  url: "https://example.com/<script>",
  events: ["order.paid"],
  created_at: at,
  failing_since: at,
  disabled_at: at,
  disabled_why: hostile,
  former_secret_until: null,
  waiting: 2,
  recent: { counted: 10, waiting: 2, delivered: 5, failed: 3, cancelled: 0 },
};

const delivery: Delivery = {
  id: "dlv_1",
  endpoint: "ep_1",
  event: "evt_1",
  type: "order.paid",
  state: "failed",
  attempts: 8,
  created_at: at,
  tried_at: at,
  due_at: null,
  milliseconds: 120,
  status: 500,
  failure: null,
  body: `{"name":"${hostile}"}`,
  answer: hostile,
};

const block: BlockRow = { id: idOf(4), kind: "email", label: hostile, reason: hostile, created_at: at };

const stuck: StuckJob = {
  id: idOf(5),
  topic: "mail.receipt",
  subject: idOf(6),
  attempts: 12,
  since: at,
  due_at: at,
  last_error: hostile,
};

const system: System = {
  version: "1.2.3",
  goes_back_to: "1.2.0",
  bun: "1.4.5",
  database: { bytes: 12_345_678, migrations: 90 },
  queues: [{ lane: "mail", waiting: 3, failing: 1, stuck: 1, oldest_at: at }],
  backup: { last: { at, bytes: 1_000_000, place: "/backups" } },
  restored: { at: "2026-11-02T10:00:00.000Z", made: "2026-11-01T04:00:00.000Z", copy: true },
  discord: "off",
  stripe: { mode: "test", last_webhook_at: null },
  mail: "up",
  processes: [{ id: "p-1", version: "1.2.3", started_at: at, seen_at: at, this: true }],
  checked_at: at,
  checking: false,
  findings: [{ what: "mail", state: "wrong", sentence: hostile }],
};

const backups: Backups = {
  place: "/backups",
  making: false,
  problem: null,
  rows: [{ id: "shop-1.backup", made_at: at, bytes: 1_000_000, own: true }],
};

const setting = (name: string, rest: Partial<SettingRow>): SettingRow => ({
  name,
  value: null,
  secret: false,
  set: false,
  otherwise: "",
  meaning: `What ${name} is for, or \`off\``,
  ...rest,
});

const settings = (role: "owner" | "support" | "viewer" = "owner") => ({
  ...asStaff(role),
  "GET /api/desk/staff": ok(staff),
  "GET /api/desk/webhooks": page([webhook]),
  "GET /api/desk/webhooks/ep_1": ok(webhook),
  "GET /api/desk/webhooks/deliveries": page([delivery]),
  "GET /api/desk/webhooks/deliveries/dlv_1": ok(delivery),
  "GET /api/desk/keys": page([{ id: "key-1", name: hostile, created_at: at }]),
  "GET /api/desk/blocks": page([block]),
  "GET /api/desk/offers": page([{ id: "month", name: "Month", state: "on_sale", recurring: null }]),
  "GET /api/desk/me/notices": ok({
    disputes: true,
    refund_proposals: true,
    address_proposals: true,
    stuck_jobs: false,
    failed_backups: true,
  }),
  "GET /api/desk/settings": page([
    setting("STRIPE_KEY", { secret: true, set: true }),
    setting("MAIL", { value: "smtp", set: true }),
    setting("TIME_ZONE", { otherwise: "UTC" }),
  ]),
  "GET /api/desk/system": ok(system),
  "GET /api/desk/backups": ok(backups),
  "GET /api/desk/jobs": ok({ rows: [stuck] }),
});

test("owners find all settings, and come back to Staff first", async () => {
  visit("/desk/settings", settings());
  await screen.findByText("olga@example.com");
  expect(location.pathname).toBe("/desk/settings/staff");
  const ways = within(screen.getByRole("navigation", { name: "Settings" })).getAllByRole("link");
  expect(ways.map(({ textContent }) => textContent)).toEqual([
    "Staff",
    "Emails to me",
    "Saved replies",
    "Blocks",
    "Webhooks",
    "Server keys",
    "Issue",
    "Import",
    "Shop",
    "System",
  ]);
});

test("support finds System alone there, without what owners do", async () => {
  const { named } = visit("/desk/settings", settings("support"));
  await screen.findByText("Health check");
  const ways = within(screen.getByRole("navigation", { name: "Settings" })).getAllByRole("link");
  expect(ways.map(({ textContent }) => textContent)).toEqual(["System"]);
  expect(screen.queryByRole("button", { name: "Check now" })).toBeNull();
  expect(named("GET /api/desk/jobs")).toEqual([]);
});

test("support finds no page at the address of an owner's settings", async () => {
  const { named } = visit("/desk/settings/staff", settings("support"));
  await screen.findByText("Page does not exist");
  expect(named("GET /api/desk/staff")).toEqual([]);
});

test("viewers find no settings, neither in the navigation nor at the address", async () => {
  visit("/desk/settings/system", settings("viewer"));
  await screen.findByText("Page does not exist");
  expect(screen.queryAllByRole("link", { name: "Settings" })).toEqual([]);
});

for (const [from, to] of [
  ["/desk/system", "/desk/settings/system"],
  ["/desk/webhooks", "/desk/settings/webhooks"],
] as const)
  test(`a link that asks for attention leads from ${from} to ${to}`, async () => {
    visit(from, settings());
    await waitFor(() => expect(location.pathname).toBe(to));
    await screen.findByRole("heading", { level: 1, name: "Settings" });
  });

test("System says of a restored copy that it is one, and what its restore took away", async () => {
  visit("/desk/settings/system", settings());
  await screen.findByRole("heading", { name: "This is a copy of the shop" });
  const card = screen.getByLabelText("Restored");
  expect(card.textContent).toContain("Everything else that staff and customers did since then is gone");
  expect(card.textContent).toContain("shop take-over");
});

test("the staff says who lacks two-factor and who is invited", async () => {
  visit("/desk/settings/staff", settings());
  const lacking = await screen.findByText("Off");
  expect(lacking.closest("[role=row]")?.textContent).toContain("sam@example.com");
  const invited = within(await screen.findByRole("grid", { name: "Open invitations" }));
  invited.getByText("new@example.com");
  expect(document.querySelector("img[src=x]")).toBeNull();
});

test("an owner wakes a role that sleeps", async () => {
  const { user, sent } = visit("/desk/settings/staff", {
    ...settings(),
    [`POST /api/desk/staff/${idOf(2)}/wake`]: ok(staff),
  });
  const asleep = await screen.findByText("support, asleep");
  expect(asleep.closest("[role=row]")?.textContent).toContain("sam@example.com");
  await user.click(screen.getByRole("button", { name: "More for olga" }));
  expect(screen.queryByRole("menuitem", { name: "Wake" })).toBeNull();
  await user.keyboard("{Escape}");
  await operate(user, `Wake ${hostile}`, "Wake");
  await toastSaying(`${hostile} is awake`);
  expect(sent(`POST /api/desk/staff/${idOf(2)}/wake`)).toEqual([{ reason: "Because" }]);
});

test("in a shop that sends no mail, an invitation's link is shown once, until it is dismissed", async () => {
  const link = "https://shop.example/invitation#token";
  const { user, sent } = visit("/desk/settings/staff", {
    ...settings(),
    "POST /api/desk/staff": ok({
      account: null,
      role: "support",
      invitation: { id: idOf(9), email: "eve@example.com", link },
    }),
  });
  await operate(user, "Add staff", "Add staff", { "Name or email": "eve@example.com" });
  await screen.findByText(link);
  expect(sent("POST /api/desk/staff")).toEqual([
    { name_or_email: "eve@example.com", role: "support", reason: "Because" },
  ]);
  await user.keyboard("{Escape}");
  screen.getByText(link);
  await press(user, "Done");
  await waitFor(() => expect(screen.queryByText(link)).toBeNull());
});

test("another role is given by the account's name, at once", async () => {
  const { user, sent } = visit("/desk/settings/staff", {
    ...settings(),
    "POST /api/desk/staff": ok({
      account: { id: idOf(11), username: "olga" },
      role: "viewer",
      invitation: null,
    }),
  });
  await operate(user, "Change role olga", "Change role");
  await toastSaying("olga is viewer");
  expect(sent("POST /api/desk/staff")).toEqual([{ name_or_email: "olga", role: "owner", reason: "Because" }]);
});

test("the last owner stays, and the dialog says so", async () => {
  const { user } = visit("/desk/settings/staff", {
    ...settings(),
    [`POST /api/desk/staff/${idOf(1)}/remove`]: refused(409, "The last owner can't be removed here", {
      code: "last_owner",
    }),
  });
  const dialog = await operate(user, "Remove olga", "Remove");
  dialog.getByText(/Your own desk closes right away/);
  await dialog.findByText("The last owner can't be removed here");
});

test("a webhook's secret is shown once, and without a choice it is sent everything", async () => {
  const { user, sent } = visit("/desk/settings/webhooks", {
    ...settings(),
    "POST /api/desk/webhooks": ok({ ...webhook, secret: "whsec_once" }),
  });
  await operate(user, "Add webhook", "Add webhook", { Address: "https://example.com/hook" });
  await screen.findByText("whsec_once");
  expect(sent("POST /api/desk/webhooks")).toEqual([
    { url: "https://example.com/hook", events: null, reason: "Because" },
  ]);
  await press(user, "Done");
  await waitFor(() => expect(screen.queryByText("whsec_once")).toBeNull());
});

test("a webhook's page enables, changes what it listens to, and rotates a leaked secret at once", async () => {
  const { user, sent } = visit("/desk/settings/webhooks/ep_1", {
    ...settings(),
    "POST /api/desk/webhooks/ep_1/enable": ok(webhook),
    "POST /api/desk/webhooks/ep_1/change": ok(webhook),
    "POST /api/desk/webhooks/ep_1/rotate": ok({ ...webhook, secret: "whsec_new", ended: null }),
  });
  await operate(user, "Enable", "Enable");
  await toastSaying("Webhook enabled");
  await operate(user, "Change", "Change", { "ticket.opened: a ticket was opened or reopened": "on" });
  await toastSaying("Webhook changed");
  expect(sent("POST /api/desk/webhooks/ep_1/change")).toEqual([
    { url: webhook.url, events: ["order.paid", "ticket.opened"], reason: "Because" },
  ]);
  await operate(user, "Rotate secret", "Rotate secret", {
    "The old secret leaked: revoke it right away": "on",
  });
  await screen.findByText("whsec_new");
  expect(sent("POST /api/desk/webhooks/ep_1/rotate")).toEqual([{ at_once: true, reason: "Because" }]);
});

test("deliveries are narrowed by state, and one is shown with its body and answer as text, and sent again", async () => {
  const { user, named, sent } = visit("/desk/settings/webhooks/ep_1", {
    ...settings(),
    "POST /api/desk/webhooks/replay": ok({
      finished: true,
      events: 1,
      deliveries: 1,
      already_waiting: 0,
      disabled: [],
    }),
  });
  await user.selectOptions(await screen.findByLabelText("State"), "failed");
  await waitFor(() =>
    expect(named("GET /api/desk/webhooks/deliveries").at(-1)?.query.toString()).toBe(
      "endpoint=ep_1&state=failed&limit=50",
    ),
  );
  await user.click(await screen.findByRole("link", { name: "order.paid" }));
  const body = within(await screen.findByRole("region", { name: "Request" }));
  body.getByText(/"name": "<img src=x onerror=alert\(1\)>"/);
  within(screen.getByRole("region", { name: /^Response \(/ })).getByText(hostile);
  expect(document.querySelector("img[src=x]")).toBeNull();
  await operate(user, "Replay", "Replay");
  await toastSaying("1 event again: 1 new delivery");
  expect(sent("POST /api/desk/webhooks/replay")).toEqual([{ id: "dlv_1", reason: "Because" }]);
});

test("a removed webhook leads back to the list", async () => {
  const { user } = visit("/desk/settings/webhooks/ep_1", {
    ...settings(),
    "POST /api/desk/webhooks/ep_1/remove": ok(webhook),
  });
  await operate(user, "Remove", "Remove");
  await waitFor(() => expect(location.pathname).toBe("/desk/settings/webhooks"));
});

test("a server key is shown once, and a press beside the dialog doesn't lose it", async () => {
  const { user } = visit("/desk/settings/keys", {
    ...settings(),
    "POST /api/desk/keys": ok({ id: "key-2", name: "CRM", created_at: at, key: "lk_once" }),
  });
  await operate(user, "New key", "New key", { Name: "CRM" });
  await screen.findByText("lk_once");
  await user.click(document.querySelector("[data-slot=dialog-overlay]") ?? document.body);
  screen.getByText("lk_once");
  await press(user, "Done");
  await waitFor(() => expect(screen.queryByText("lk_once")).toBeNull());
});

test("a computer is blocked by naming its customer, anything else by its own value", async () => {
  const { user, sent } = visit("/desk/settings/blocks", {
    ...settings(),
    "POST /api/desk/blocks": ok(block),
  });
  await operate(user, "Block", "Block", { Which: "eve@example.com" });
  await toastSaying("Blocked");
  await operate(user, "Block", "Block", { "What is blocked": "customer", Which: idOf(1) });
  await waitFor(() =>
    expect(sent("POST /api/desk/blocks")).toEqual([
      { kind: "email", value: "eve@example.com", reason: "Because" },
      { kind: "device", customer: idOf(1), reason: "Because" },
    ]),
  );
});

test("an owner chooses which mails they get", async () => {
  const { user, sent } = visit("/desk/settings/mails", {
    ...settings(),
    "POST /api/desk/me/notices": ok({}),
  });
  await press(user, "Choose emails");
  const dialog = within(await screen.findByRole("dialog", { name: "Choose emails" }));
  await user.click(dialog.getByLabelText("Stuck jobs"));
  await user.click(dialog.getByLabelText("Proposed refunds"));
  await user.click(dialog.getByRole("button", { name: "Choose emails" }));
  await waitFor(() =>
    expect(sent("POST /api/desk/me/notices")).toEqual([
      {
        disputes: true,
        refund_proposals: false,
        address_proposals: true,
        stuck_jobs: true,
        failed_backups: true,
      },
    ]),
  );
});

test("a saved reply is changed", async () => {
  const { user, sent } = visit("/desk/settings/replies", {
    ...settings(),
    [`POST /api/desk/replies/${idOf(1201)}/change`]: ok({}),
  });
  await operate(user, "Change New token", "Change", { Text: "Copy it{Enter}anew." });
  await waitFor(() =>
    expect(sent(`POST /api/desk/replies/${idOf(1201)}/change`)).toEqual([
      { name: "New token", text: "Copy it\nanew.", reason: "Because" },
    ]),
  );
});

test("the shop's settings are found by a word, and no secret is shown", async () => {
  const { user } = visit("/desk/settings/shop", settings());
  await screen.findByLabelText("Set, and secret");
  screen.getByText("Not set (UTC)");
  await user.type(screen.getByLabelText("Find a setting"), "zone");
  await waitFor(() => expect(screen.queryByText("MAIL")).toBeNull());
  screen.getByText("TIME_ZONE");
  expect(screen.getByText("off").tagName).toBe("CODE");
});

test("licences are issued after a preview, and the job is shown with its progress", async () => {
  const job: DeskJob = {
    id: idOf(20),
    action: "issue",
    by: { id: idOf(11), name: "olga" },
    done: 4,
    total: 10,
    refused: [],
    refused_total: 0,
    created_at: at,
    cancelled_at: null,
    finished_at: null,
    keys_until: null,
    result_until: null,
    lines: null,
  };
  const { user, named, sent } = visit("/desk/licences", {
    ...settings(),
    [`GET /api/desk/jobs/${job.id}`]: ok(job),
    "POST /api/desk/licences/issue": ({ body }) =>
      Response.json({
        status: 200,
        data: (body as { preview?: true }).preview ? { total: 10, sample: [] } : { job: job.id },
      }),
  });
  await pressInMenu(user, "More for licenses", "Issue licenses");
  const count = await screen.findByLabelText("How many");
  await screen.findByRole("option", { name: "Month" });
  await user.type(count, "10");
  await user.type(screen.getByLabelText("Reason"), "A giveaway");
  await press(user, "Preview");
  await screen.findByText(/^Issues 10 licenses of month\./);
  expect(named("POST /api/desk/licences/issue")).toHaveLength(1);
  await press(user, "Issue 10 licenses");
  await screen.findByText("4 of 10 licenses done.");
  expect(sent("POST /api/desk/licences/issue")).toEqual([
    { offer: "month", count: 10, reason: "A giveaway", preview: true },
    { offer: "month", count: 10, reason: "A giveaway" },
  ]);
});

test("an owner tries mail, Stripe and Discord from System, and reads what they did", async () => {
  const { user, sent } = visit("/desk/settings/system", {
    ...settings(),
    "GET /api/desk/system": ok({ ...system, discord: "away", mail: "refusing" }),
    "POST /api/desk/system/try": ok({
      findings: [{ what: "mail", state: "wrong", sentence: "The server refuses: 554 no." }],
    }),
  });
  await press(user, "Try it: Mail");
  const mail = await screen.findByRole("region", { name: "Mail" });
  await within(mail).findByText("The server refuses: 554 no.");
  await press(user, "Try it: Stripe");
  await press(user, "Try it: Discord");
  await waitFor(() =>
    expect(sent("POST /api/desk/system/try")).toEqual(
      ["mail", "stripe", "discord"].map((service) => ({ service })),
    ),
  );
});

test("what is off can't be tried, and support tries nothing and sees no backups", async () => {
  visit("/desk/settings/system", settings("support"));
  await screen.findByRole("region", { name: "Connections" });
  expect(screen.queryByRole("button", { name: /^Try it/ })).toBeNull();
  expect(screen.queryByRole("region", { name: "Backups" })).toBeNull();
});

test("an owner makes a backup from System, which lists it and says why one failed", async () => {
  const { user, sent } = visit("/desk/settings/system", {
    ...settings(),
    "GET /api/desk/backups": ok({ ...backups, problem: "The disk is full." }),
    "POST /api/desk/backups": ok({ ...backups, making: true }),
  });
  const list = await screen.findByRole("region", { name: "Backups" });
  await within(list).findByText("The disk is full.");
  within(list).getByText("shop-1.backup");
  await press(user, "Make a backup");
  await user.type(screen.getByLabelText("Reason"), "Before the upgrade");
  await user.keyboard("{Enter}");
  await toastSaying("The backup is being made");
  expect(sent("POST /api/desk/backups")).toEqual([{ reason: "Before the upgrade" }]);
});

test("System shows what the doctor found, checks anew, and retries or drops what is stuck", async () => {
  const { user, named } = visit("/desk/settings/system", {
    ...settings(),
    "POST /api/desk/system/check": ok({ ...system, checking: true }),
    [`POST /api/desk/outbox/${stuck.id}/retry`]: ok({ id: stuck.id, state: "retried" }),
    [`POST /api/desk/outbox/${stuck.id}/drop`]: ok({ id: stuck.id, state: "dropped" }),
  });
  // a finding, and the last error of a stuck job
  await waitFor(() => expect(screen.getAllByText(hostile)).toHaveLength(2));
  expect(document.querySelector("img[src=x]")).toBeNull();
  screen.getByText("12.3 MB, 90 migrations");
  await press(user, "Check now");
  await screen.findByRole("button", { name: "Checking…" });
  const name = `Mail receipt ${stuck.subject}`;
  await operate(user, `Retry ${name}`, "Retry");
  await toastSaying("Trying again");
  await operate(user, `Drop ${name}`, "Drop");
  await toastSaying("Dropped");
  expect(named("GET /api/desk/jobs")[0]?.query.toString()).toBe("state=stuck");
});
