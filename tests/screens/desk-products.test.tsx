import { expect, test } from "bun:test";
import { Pencil } from "lucide-react";
import { changeOffer } from "@/contract/operations/products";
import { deskOperation } from "@/web/screens/desk/operation/operation";
import { screen, waitFor, within } from "@testing-library/react";
import type { AnnouncementRow } from "@/contract/wire/desk/announcements";
import type { ChangelogRow } from "@/contract/wire/desk/changelog";
import type { CodeRow } from "@/contract/wire/desk/codes";
import type { OfferRow } from "@/contract/wire/desk/offers";
import { ok, premium, refused, toastSaying, visit } from "./browser";
import { asStaff, dialogNamed, hostile, operate, page, press, pressInMenu } from "./desk-answers";

const at = "2026-03-04T05:06:07.000Z";
const offer: OfferRow = {
  id: "month",
  name: hostile,
  amount: 499,
  currency: "usd",
  days: 30,
  devices: 1,
  recurring: null,
  level: "premium",
  hidden: false,
  state: "on_sale",
  created_at: at,
  retired_at: null,
};
const first: OfferRow = { ...offer, id: "premium", name: "Wisp Premium", days: null };
const code: CodeRow = {
  id: "promo_1",
  code: "SPRING",
  takes_off: { percent: 20 },
  lasts: { months: 3 },
  uses: 3,
  most_uses: 10,
  expires_at: null,
  active: true,
  brought: { orders: 2, gross: 1_598, currency: "usd" },
};
const news: ChangelogRow = {
  id: "01a1fd74-495b-730b-a5fe-000000000001",
  release: false,
  date: at,
  title: hostile,
  content: "Two lines\nof news",
};
const announcement: AnnouncementRow = {
  id: "01a1fd74-495b-730b-a5fe-000000000002",
  subject: hostile,
  licensed_only: true,
  offer: null,
  state: "under_way",
  created_at: at,
  stopped_at: null,
  customers: 200,
  looked: 50,
  posted: 50,
  sent: 40,
  deferred: 3,
  dropped: 7,
};

const products = (role: "owner" | "support" | "viewer" = "owner") => ({
  ...asStaff(role),
  "GET /api/desk/offers": page([first, offer]),
  "GET /api/desk/codes": page([code]),
  "GET /api/desk/changelog": page([news, { ...news, id: "2.1.0", release: true, title: "Faster" }]),
  "GET /api/desk/announcements": page([announcement]),
});

test("an owner sees what buyers will see of a new offer, and puts it on sale", async () => {
  const { user, sent } = visit("/desk/products", { ...products(), "POST /api/desk/offers": ok(offer) });
  await press(user, "New offer");
  const dialog = await dialogNamed("New offer");
  await user.type(dialog.getByLabelText("Name"), "A month");
  await user.type(dialog.getByLabelText("Id"), "month-2");
  await user.type(dialog.getByLabelText("Price in USD"), "4,99");
  await user.type(dialog.getByLabelText("Days"), "30");
  const preview = within(dialog.getByRole("region", { name: "Preview" }));
  preview.getByText("A month");
  preview.getByText("30 days");
  await user.clear(dialog.getByLabelText("Computers"));
  await user.type(dialog.getByLabelText("Computers"), "3");
  preview.getByText("30 days, 3 computers");
  preview.getByText("USD 4.99");
  await user.type(dialog.getByLabelText("Reason"), "Asked for often");
  await user.click(dialog.getByRole("button", { name: "New offer" }));
  await toastSaying("Offer on sale");
  expect(sent("POST /api/desk/offers")).toEqual([
    {
      id: "month-2",
      name: "A month",
      amount: 499,
      every: null,
      days: 30,
      trial_days: null,
      devices: 3,
      reason: "Asked for often",
    },
  ]);
});

test("an owner puts a subscription on sale, and of one that is sold changes the trial instead of days", async () => {
  const { user, named, sent } = visit("/desk/products/offers", {
    ...products(),
    "GET /api/desk/offers": page([
      { ...offer, name: "Monthly", days: null, recurring: { interval: "month", trial_days: 7 } },
    ]),
    "POST /api/desk/offers": ok(offer),
    "POST /api/desk/offers/month/change": ok(offer),
  });
  await screen.findByText("Every month, until you cancel, first 7 days free");
  const typed = { Name: "A year", Id: "year", "Price in USD": "30", Paid: "year", "Trial days": "14" };
  const dialog = await operate(user, "New offer", "New offer", typed);
  within(dialog.getByRole("region", { name: "Preview" })).getByText(
    "Every year, until you cancel, first 14 days free",
  );
  await toastSaying("Offer on sale");
  expect(named("POST /api/desk/offers")[0]?.body).toMatchObject({
    every: "year",
    days: null,
    trial_days: 14,
  });
  await pressInMenu(user, "More for Monthly", "Change");
  const change = await dialogNamed("Change");
  expect(change.queryByLabelText("Days")).toBeNull();
  await user.clear(change.getByLabelText("Trial days"));
  await user.type(change.getByLabelText("Reason"), "No more trials");
  await user.click(change.getByRole("button", { name: "Change" }));
  await waitFor(() =>
    expect(sent("POST /api/desk/offers/month/change")).toEqual([
      { amount: 499, name: "Monthly", trial_days: null, devices: 1, reason: "No more trials" },
    ]),
  );
});

test("an offer that was priced in another currency gets its new price in the shop's", async () => {
  const { user, sent } = visit("/desk/products/offers", {
    ...products(),
    "GET /api/desk/offers": page([{ ...offer, name: "Month", currency: "jpy", state: "other_currency" }]),
    "POST /api/desk/offers/month/change": ok(offer),
  });
  await operate(user, "Change Month", "Change", { "Price in USD": "4.99" });
  await waitFor(() =>
    expect(sent("POST /api/desk/offers/month/change")).toEqual([
      { amount: 499, name: "Month", days: 30, devices: 1, reason: "Because" },
    ]),
  );
});

test("a code takes whole percents or an amount, and works to the end of its last day", async () => {
  const { user, sent } = visit("/desk/products/codes", { ...products(), "POST /api/desk/codes": ok(code) });
  await screen.findByText("USD 15.98 in 2 orders");
  await press(user, "New code");
  const dialog = await dialogNamed("New code");
  await user.type(dialog.getByLabelText("Code"), "MAY");
  await user.type(dialog.getByLabelText("How much"), "4.99");
  await user.type(dialog.getByLabelText("Last day"), "2099-05-31");
  await user.type(dialog.getByLabelText("Reason"), "May sale");
  await user.click(dialog.getByRole("button", { name: "New code" }));
  await dialog.findByText("Enter a whole number from 1 to 100");
  await user.selectOptions(dialog.getByLabelText("Discount"), "amount");
  await user.click(dialog.getByRole("button", { name: "New code" }));
  await toastSaying("Code created");
  expect(sent("POST /api/desk/codes")).toEqual([
    {
      code: "MAY",
      amount: 499,
      expires_at: new Date("2099-05-31T23:59:59").toISOString(),
      reason: "May sale",
    },
  ]);
});

test("in a shop with subscriptions a code says which of their payments it is for", async () => {
  const { user, sent } = visit("/desk/products/codes", {
    ...products(),
    "GET /api/offers": ok([{ ...premium, recurring: { interval: "month", trial_days: null } }]),
    "POST /api/desk/codes": ok(code),
  });
  await screen.findByText("3 months");
  await press(user, "New code");
  const dialog = await dialogNamed("New code");
  await user.type(dialog.getByLabelText("Code"), "MAY");
  await user.type(dialog.getByLabelText("How much"), "50");
  await user.selectOptions(dialog.getByLabelText("For subscriptions"), "6");
  await dialog.findByText("Buyers who enter MAY pay 50% less, during the first 6 months of a subscription.");
  await user.type(dialog.getByLabelText("Reason"), "May sale");
  await user.click(dialog.getByRole("button", { name: "New code" }));
  await toastSaying("Code created");
  expect(sent("POST /api/desk/codes")).toEqual([
    { code: "MAY", percent: 50, lasts: { months: 6 }, reason: "May sale" },
  ]);
});

test("news is shown as customers will read it before it is published, and a release's notes can't be removed", async () => {
  const { user, sent } = visit("/desk/products/changelog", {
    ...products(),
    "POST /api/desk/changelog": ok(news),
  });
  await user.click(await screen.findByRole("button", { name: "More for Faster" }));
  screen.getByRole("menuitem", { name: "Edit" });
  expect(screen.queryByRole("menuitem", { name: "Remove" })).toBeNull();
  await user.keyboard("{Escape}");
  await press(user, "Write news");
  const dialog = await dialogNamed("Write news");
  await user.type(dialog.getByLabelText("Title"), hostile);
  await user.type(dialog.getByLabelText("Text"), "One{Enter}two");
  const preview = within(dialog.getByRole("region", { name: "Preview" }));
  preview.getByRole("heading", { name: hostile });
  await user.type(dialog.getByLabelText("Reason"), "Told in Discord");
  await user.click(dialog.getByRole("button", { name: "Write news" }));
  await waitFor(() =>
    expect(sent("POST /api/desk/changelog")).toEqual([
      { title: hostile, content: "One\ntwo", reason: "Told in Discord" },
    ]),
  );
});

const preview = {
  subject: "Sale",
  html: `<html><head><style>p { color: red }</style></head><body><p style="margin: 0">Hello</p><a href="https://example.com">x</a></body></html>`,
  text: "Hello",
  customers: 200,
  recipients: 120,
  more: false,
};

test("an announcement is sent as it was previewed: a change since has to be previewed again", async () => {
  const { user, sent } = visit("/desk/products/announcements/new", {
    ...products(),
    "POST /api/desk/announcements/preview": ok(preview),
    "POST /api/desk/announcements": ok(announcement),
  });
  const send = await screen.findByRole<HTMLButtonElement>("button", { name: "Send to customers" });
  await user.type(screen.getByLabelText("Subject"), "Sale");
  await user.type(screen.getByLabelText("Message (Markdown)"), "Hello");
  expect(send.disabled).toBe(true);
  await press(user, "Preview");
  await screen.findByText("To 120 of 200 customers.");
  await user.selectOptions(screen.getByLabelText("To"), "Customers of Wisp Premium");
  expect(send.disabled).toBe(true);
  screen.getByText("The email changed since the preview. Preview it again before you send it.");
  await press(user, "Preview");
  await screen.findByText("To 120 of 200 customers.");
  await user.click(send);
  const dialog = await dialogNamed("Send to customers");
  dialog.getByText(/^Sends “Sale” to 120 of 200 customers/);
  await user.type(dialog.getByLabelText("Reason"), "The sale begins");
  await user.click(dialog.getByRole("button", { name: "Send to customers" }));
  await waitFor(() => expect(location.pathname).toBe("/desk/products/announcements"));
  expect(sent("POST /api/desk/announcements")).toEqual([
    { subject: "Sale", content: "Hello", licensed_only: false, offer: "premium", reason: "The sale begins" },
  ]);
});

test("a letter's preview runs no script and leads nowhere", async () => {
  const { user } = visit("/desk/products/announcements/new", {
    ...products(),
    "POST /api/desk/announcements/preview": ok(preview),
  });
  await user.type(await screen.findByLabelText("Subject"), "Sale");
  await user.type(screen.getByLabelText("Message (Markdown)"), "Hello");
  await press(user, "Preview");
  const frame = await screen.findByTitle<HTMLIFrameElement>("The email");
  expect(frame.getAttribute("sandbox")).toBe("allow-same-origin");
  expect(frame.srcdoc).toContain(`<p data-style="margin: 0">Hello</p>`);
  expect(frame.srcdoc).not.toContain(" href");
});

test("a letter that was refused stays written, and its test goes to oneself", async () => {
  const { user, sent } = visit("/desk/products/announcements/new", {
    ...products(),
    "POST /api/desk/announcements/preview": refused(400, "The letter is too long", { code: "invalid_field" }),
    "POST /api/desk/announcements/test": ok({}),
  });
  await user.type(await screen.findByLabelText("Subject"), "Sale");
  await user.type(screen.getByLabelText("Message (Markdown)"), "Hello");
  await press(user, "Preview");
  await screen.findByText("The letter is too long");
  await press(user, "Send me a test");
  const dialog = await dialogNamed("Send me a test");
  expect(dialog.queryByLabelText("Reason")).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Send me a test" }));
  await toastSaying("The email is on its way to you");
  expect(sent("POST /api/desk/announcements/test")).toEqual([{ subject: "Sale", content: "Hello" }]);
  expect(screen.getByLabelText<HTMLInputElement>("Subject").value).toBe("Sale");
});

test("an announcement under way says how far it is, and can be stopped", async () => {
  const { user, named } = visit("/desk/products/announcements", {
    ...products(),
    [`POST /api/desk/announcements/${announcement.id}/stop`]: ok({ ...announcement, state: "stopped" }),
  });
  const bar = await screen.findByRole<HTMLProgressElement>("progressbar", { name: `Progress of ${hostile}` });
  expect(bar.value).toBe(25);
  screen.getByText("40 sent, 3 deferred, 7 dropped");
  screen.getByText("Active licenses");
  await operate(user, `Stop ${hostile}`, "Stop");
  await waitFor(() => expect(named(`POST /api/desk/announcements/${announcement.id}/stop`)).toHaveLength(1));
});

test("text that was typed into products is shown as plain text", async () => {
  for (const section of ["offers", "changelog", "announcements"]) {
    const shown = visit(`/desk/products/${section}`, products());
    expect((await screen.findAllByText(hostile)).length).toBeGreaterThan(0);
    expect(document.querySelector("img[src=x]")).toBeNull();
    shown.unmount();
  }
});

for (const role of ["support", "viewer"] as const)
  test(`${role} reads products and is shown nothing to do there`, async () => {
    for (const section of ["offers", "codes", "changelog", "announcements"]) {
      const shown = visit(`/desk/products/${section}`, products(role));
      const grid = await screen.findByRole("grid");
      expect(within(grid).queryAllByRole("button")).toEqual([]);
      expect(within(grid).queryByRole("columnheader", { name: "Actions" })).toBeNull();
      expect(screen.queryByRole("group", { name: "Operations" })).toBeNull();
      expect(screen.queryByRole("link", { name: "Write an announcement" })).toBeNull();
      shown.unmount();
    }
    visit("/desk/products/announcements/new", products(role));
    await screen.findByText("Page does not exist");
  });

test("a change clears nothing that its form was not filled with", async () => {
  const { sent } = visit("/desk/products/offers", {
    ...products(),
    "POST /api/desk/offers/month/change": ok(first),
  });
  const change = deskOperation(changeOffer, {
    id: "month",
    currency: "usd",
    name: "Change",
    icon: Pencil,
    consequence: () => "",
    fields: { amount: { initial: "4.99" }, days: { initial: "30" } },
    done: () => "",
  });
  await change.run({ name: "", amount: "3", days: "", trial_days: "", devices: "" }, "");
  expect(sent("POST /api/desk/offers/month/change")).toEqual([{ amount: 300, days: null }]);
});
