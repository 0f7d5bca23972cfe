/** Where the customer stands, on Home and on License; `units/account-status` has every state. */
import { afterEach, beforeEach, describe, expect, setSystemTime, spyOn, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import type { FileSizes } from "@/contract/wire/releases";
import type { Licence } from "@/contract/wire/licences";
import type { Offer } from "@/contract/wire/offers";
import type { Subscription } from "@/contract/wire/subscriptions";
import { day } from "@/contract/vocabulary/time";
import {
  ada,
  type Answers,
  asAda,
  licence,
  ok,
  premium,
  refused,
  toastSaying,
  unreachable,
  visit,
} from "./browser";

const now = new Date("2026-11-23T12:00:00.000Z");
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();
beforeEach(() => void setSystemTime(now));

const timed = (end: number, more: Partial<Licence> = {}) =>
  licence(end > 0 ? "active" : "expired", { expiry_date: later(end), ...more });

const holding = (...licences: Licence[]): Answers => ({
  ...asAda,
  "GET /api/user/me": ok({
    ...ada,
    api_key: "token-1",
    active_license: licences.some(({ active }) => active),
  }),
  "GET /api/licenses/me": ok(licences),
  "GET /api/payments": ok([{ payment_id: "pi_1", bill: { paid: 500, currency: "usd" } }]),
});
const as = (changes: Partial<typeof ada>, answers = holding(licence("active"))): Answers => ({
  ...answers,
  "GET /api/user/me": ok({ ...ada, api_key: "token-1", ...changes }),
});
const month: Offer = { ...premium, id: "month", name: "One month", amount: 250, days: 30 };

const card = async () => within(await screen.findByRole("region", { name: "License status" }));
const steps = () => screen.findByRole("region", { name: "First steps" }).then(within);
/** What stands in the primary colour. */
const prominent = () =>
  [...screen.getByRole("main").querySelectorAll("[data-slot=button].bg-primary")].map((one) =>
    one.closest("#buy") ? "what is sold" : one.textContent,
  );

const asOn = (value: string) => Object.defineProperty(navigator, "userAgent", { value, configurable: true });
afterEach(() => void Reflect.deleteProperty(navigator, "userAgent"));
const phone = "Mozilla/5.0 (Linux; Android 15; Pixel)";

const unused = { key: "WISP-7K3M-QX9T-0B2C-ZZ8V", name: "One month", days: 30, payment_id: "pi_2" };
const waiting = { "GET /api/licenses/unused": ok([unused]) };

/** What is prominent at home, and on License, where the page itself sells and redeems. */
const cases: [string, Answers, string, string][] = [
  ["who has nothing yet", holding(), "Buy Wisp Premium", "what is sold"],
  ["with an unused key", { ...holding(), ...waiting }, "Add to my account", "Add to my account"],
  ["who is ready to install", holding(licence("active")), "Download", "Download"],
  ["whose computer runs it", as({ hwid_set: true }), "Download", "Download"],
  [
    "whose license ends, where time is sold",
    { ...holding(timed(5 * day)), "GET /api/offers": ok([premium, month]) },
    "Renew",
    "what is sold",
  ],
  [
    "whose license ends, where a lifetime is sold",
    holding(timed(5 * day)),
    "Upgrade to lifetime · $5",
    "what is sold",
  ],
  ["whose license expired", holding(timed(-3 * day)), "Buy Wisp Premium", "what is sold"],
  ["whose payment was refunded", holding(licence("refunded")), "Buy again", "what is sold"],
  ["whose payment is disputed", holding(licence("disputed")), "Ask support", "Ask support"],
  ["whose license is suspended", holding(licence("suspended")), "Ask support", "Ask support"],
];
for (const [who, answers, home, license] of cases) {
  test(`one button is prominent to a customer ${who}: ${home}`, async () => {
    const page = visit("/dashboard", answers);
    await card();
    expect(prominent()).toEqual([home]);
    page.unmount();
    visit("/dashboard/license", answers);
    await screen.findByRole("region", { name: "Redeem" });
    expect(prominent()).toEqual([license]);
  });
}

test("Home says how it stands, and what happens now", async () => {
  visit("/dashboard", holding(licence("disputed")));
  const text = await card();
  expect(text.getByRole("heading").textContent).toBe("Wisp Premium · Disputed");
  text.getByText("Your USD 5.00 payment is disputed. Your license is paused until the bank decides.");
  text.getByText(/withdraw the dispute/);
  const links = text.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")]);
  expect(links).toEqual([
    ["Ask support", "/dashboard/tickets"],
    ["See the payment", "/dashboard/transaction?payment_intent=pi_1"],
  ]);
});

test("Home says nothing, rather than something wrong, if the licenses can't be fetched", async () => {
  visit("/dashboard", { ...holding(licence("active")), "GET /api/licenses/me": unreachable });
  await screen.findByText("Online");
  expect(screen.queryByRole("region", { name: "License status" })).toBeNull();
});

for (const page of ["/dashboard", "/dashboard/license"]) {
  test(`a customer with a disputed payment is offered nothing to buy, whatever else they had, on ${page}`, async () => {
    visit(page, {
      ...holding(timed(-9 * day), licence("disputed")),
      "GET /api/offers": ok([premium, month]),
    });
    await card();
    if (page === "/dashboard") await screen.findByText("Online");
    expect(document.body.textContent).not.toMatch(/\b(buy|renew|purchase|upgrade|get a license)\b/i);
  });

  test(`a bought key that isn't in use is added with one press, on ${page}`, async () => {
    const { user, answers, sent } = visit(page, {
      ...holding(timed(-day)),
      ...waiting,
      "POST /api/licenses/redeem": ok({ expiry_date: "2026-12-24T12:00:00.000Z" }),
    });
    const row = within(await screen.findByRole("region", { name: "Unused key" }));
    row.getByText(unused.key);
    answers["GET /api/licenses/unused"] = ok([]);
    await user.click(row.getByRole("button", { name: "Add to my account" }));
    await toastSaying("Successfully redeemed key, expires Dec 24, 2026 at 12:00 PM");
    expect(sent("POST /api/licenses/redeem")).toMatchObject([{ key: unused.key }]);
    await waitFor(() => expect(screen.queryByRole("region", { name: "Unused key" })).toBeNull());
  });
}

test("a refused key says why, and stays", async () => {
  const sentence = "This license has been suspended";
  const { user } = visit("/dashboard", {
    ...holding(timed(30 * day)),
    "GET /api/licenses/unused": ok([unused, { ...unused, key: "WISP-AAAA" }]),
    "POST /api/licenses/redeem": refused(409, sentence, { code: "license_suspended" }),
  });
  await screen.findByText("and 1 more");
  await user.click(await screen.findByRole("button", { name: "Add to my account" }));
  await toastSaying(sentence);
  screen.getByRole("button", { name: "Add to my account" });
  expect(prominent()).toEqual(["Download"]);
});

describe("an active customer", () => {
  const sizes = (of: Partial<FileSizes>) =>
    ok({
      win_exe: null,
      win_zip: null,
      console_win_zip: null,
      mac_dmg: null,
      mac_zip: null,
      linux_appimage: null,
      linux_deb: null,
      linux_rpm: null,
      console_linux_zip: null,
      ...of,
    });

  test("downloads the first file of their own system from Home", async () => {
    asOn("Mozilla/5.0 (X11; Linux x86_64)");
    visit("/dashboard", {
      ...holding(licence("active")),
      "GET /api/version/filesizes": sizes({ linux_deb: 1, win_exe: 1 }),
    });
    const link = await (await card()).findByRole("link", { name: /^Download for Linux/ });
    expect(link.getAttribute("href")).toBe("/api/download/linux/deb");
  });

  test("is led to all downloads if there is no file for their system", async () => {
    asOn("Mozilla/5.0 (X11; Linux x86_64)");
    visit("/dashboard", {
      ...holding(licence("active")),
      "GET /api/version/filesizes": sizes({ win_exe: 1 }),
    });
    const link = await (await card()).findByRole("link", { name: "Download" });
    expect(link.getAttribute("href")).toBe("/dashboard/download");
  });

  test("has the shop mail the link from a phone, where the other steps wait for the computer", async () => {
    asOn(phone);
    const { user, sent } = visit("/dashboard", {
      ...holding(licence("active")),
      "POST /api/user/download-link": ok({ email: ada.email }),
    });
    const [first, second] = (await steps()).getAllByRole("listitem");
    expect(first?.textContent).toStartWith("1Download Wisp on your computer");
    expect(second?.textContent).toEndWith("On your computer");
    expect(within(second ?? document.body).queryByRole("button")).toBeNull();
    await user.click(await screen.findByRole("button", { name: "Email me the download link" }));
    await screen.findByText("Sent to ada@example.com. Open it on your computer.");
    expect(sent("POST /api/user/download-link")).toEqual([{}]);
    screen.getByRole("button", { name: "Send it again" });
  });

  test("copies the link on a phone while their mailbox isn't confirmed", async () => {
    asOn(phone);
    const { user } = visit("/dashboard", as({ email_confirmed: false }));
    await user.click(await screen.findByRole("button", { name: "Copy the download link" }));
    await waitFor(async () =>
      expect(await navigator.clipboard.readText()).toBe(`${location.origin}/dashboard/download`),
    );
  });

  test("copies the key that runs longest", async () => {
    const { user } = visit(
      "/dashboard",
      as(
        { hwid_set: true, discord_authed: true },
        holding(timed(30 * day, { key: "WISP-LONG" }), timed(8 * day, { key: "WISP-SHORT" })),
      ),
    );
    await user.click(await (await card()).findByRole("button", { name: "Copy key" }));
    await (await card()).findByText("Copied", { selector: "output" });
    expect(await navigator.clipboard.readText()).toBe("WISP-LONG");
  });
});

describe("the first three steps", () => {
  const done = async () =>
    (await steps()).getAllByRole("listitem").map((item) => item.dataset.done === "true");
  const beginner = holding(licence("active"));

  test("tick what the shop knows: an attached computer has the application and the token", async () => {
    const page = visit("/dashboard", as({ hwid_set: true }));
    expect(await done()).toEqual([true, true, false]);
    page.unmount();
    visit("/dashboard", as({ discord_authed: true }));
    expect(await done()).toEqual([false, false, true]);
  });

  test("ask for Discord only from customers who use it, and lead there", async () => {
    visit("/dashboard", beginner);
    const last = (await steps()).getAllByRole("listitem").at(-1);
    expect(last?.textContent).toContain("if you use it");
    within(last ?? document.body).getByRole("link", { name: "Join the Discord" });
  });

  test("make the first token, which is then copied", async () => {
    const { user, named } = visit("/dashboard", {
      ...as({ api_key: null }),
      "POST /api/user/info/reset/token": ok({ api_key: "token-2" }),
    });
    await user.click((await steps()).getByRole("button", { name: "Copy token" }));
    await toastSaying("Copied auth token to clipboard");
    expect(await navigator.clipboard.readText()).toBe("token-2");
    expect(named("POST /api/user/info/reset/token")).toHaveLength(1);
  });

  test("are gone once all are done, without a licence, and for good when closed, for this account", async () => {
    for (const answers of [as({ hwid_set: true, discord_authed: true }), holding(timed(-day))]) {
      const page = visit("/dashboard", answers);
      await screen.findByText("Online");
      expect(screen.queryByRole("region", { name: "First steps" })).toBeNull();
      page.unmount();
    }
    const page = visit("/dashboard", beginner);
    await page.user.click(await screen.findByRole("button", { name: "Close first steps" }));
    await waitFor(() => expect(screen.queryByRole("region", { name: "First steps" })).toBeNull());
    expect(prominent()).toEqual(["Download"]);
    page.unmount();
    const again = visit("/dashboard", beginner);
    await screen.findByText("Online");
    expect(screen.queryByRole("region", { name: "First steps" })).toBeNull();
    again.unmount();
    visit("/dashboard", as({ id: "another" }));
    await steps();
  });
});

const subscription: Subscription = {
  id: "order_1",
  offer: "month",
  status: "active",
  renews_at: later(20 * day),
  ends_at: null,
  changes_at: null,
  changes_to: null,
  amount: 300,
  currency: "usd",
  interval: "month",
  card: { brand: "visa", last4: "4242" },
  license_key: null,
};
const monthly: Offer = { ...month, days: null, recurring: { interval: "month", trial_days: null } };
const subscribed = (change: Partial<Subscription> = {}): Answers => ({
  ...holding(timed(23 * day, { subscription: "order_1" })),
  "GET /api/subscriptions": ok([{ ...subscription, ...change }]),
  "GET /api/offers": ok([premium, monthly, { ...monthly, id: "year", name: "A year" }]),
});
const pastDue = { past_due: { subscription: "order_1", until: later(3 * day) }, active_license: true };

describe("a subscription", () => {
  const buttons = async () =>
    (await card())
      .getAllByRole("button")
      .map((button) => button.textContent?.replace(" at Stripe", ""))
      .filter(Boolean);

  test("is a plan on License: its next charge, its card, and what can be done at Stripe", async () => {
    const { user, named } = visit("/dashboard/license", {
      ...subscribed({ changes_at: later(20 * day), changes_to: "year" }),
      "POST /api/subscriptions/portal": refused(502, "Stripe is away"),
    });
    const plan = await card();
    plan.getByText("Renews on Dec 13, 2026 for USD 3.00.");
    plan.getByText("One month");
    plan.getByText("Visa ending in 4242");
    plan.getByText("Changes to A year on Dec 13, 2026.");
    plan.getByText("You can cancel any time, and keep Wisp Premium until Dec 13, 2026.");
    expect(await buttons()).toEqual(["Change plan", "Update card", "Invoices", "Cancel subscription"]);
    await user.click(plan.getByRole("button", { name: /^Cancel subscription/ }));
    await waitFor(() => expect(plan.getByRole("alert").textContent).toBe("Stripe is away"));
    expect(named("POST /api/subscriptions/portal")[0]?.body).toEqual({
      id: "order_1",
      flow: "cancel",
      return_to: "/dashboard/license",
    });
  });

  test("leads from Home to its plan", async () => {
    visit("/dashboard", subscribed());
    const link = (await card()).getByRole("link", { name: "Manage plan" });
    expect(link.getAttribute("href")).toBe("/dashboard/license");
    expect((await card()).queryByRole("link", { name: /^(Renew|Buy)/ })).toBeNull();
  });

  test("that was canceled is resumed by the first button, at home and on License", async () => {
    const canceled = subscribed({ status: "ending", renews_at: null, ends_at: later(12 * day) });
    for (const page of ["/dashboard", "/dashboard/license"]) {
      const { unmount } = visit(page, canceled);
      (await card()).getByText("It won't renew. You keep Wisp Premium until Dec 5, 2026.");
      expect(prominent()).toEqual(["Resume subscription at Stripe"]);
      unmount();
    }
  });

  test("whose payment failed asks for another card first, everywhere, and once on each page", async () => {
    const leave = spyOn(window.location, "assign").mockImplementation(() => {});
    const answers = {
      ...as(pastDue, subscribed({ status: "past_due", renews_at: null, amount: null })),
      "POST /api/subscriptions/portal": ok({ url: "https://pay.example/p/1" }),
      "GET /api/payments": ok([]),
    };
    const sentence = "Your last payment failed. Update your card by Nov 26, 2026 to keep your license.";
    for (const page of ["/dashboard", "/dashboard/license", "/dashboard/payments"]) {
      const { unmount, user, sent } = visit(page, answers);
      await screen.findByText(sentence);
      const button = screen.getByRole("button", { name: /^Update card/ });
      expect(button.className).toContain("bg-primary");
      await user.click(button);
      await waitFor(() => expect(leave).toHaveBeenCalledTimes(1));
      expect(sent("POST /api/subscriptions/portal")).toEqual([
        { id: "order_1", flow: "card", return_to: page },
      ]);
      leave.mockClear();
      unmount();
    }
  });

  test("whose payment failed says so even if its licenses can't be fetched", async () => {
    visit("/dashboard", { ...as(pastDue), "GET /api/licenses/me": unreachable });
    const heading = (await card()).getByRole("heading");
    expect(heading.textContent).toBe("Wisp Premium · Payment failed · active until Nov 26, 2026");
  });

  test("whose first payment is on its way is canceled there, if the bank doesn't move the money yet", async () => {
    const pending = {
      ...subscription,
      status: "pending" as const,
      renews_at: null,
      amount: null,
      card: null,
    };
    const moving = "Your bank is already moving the money";
    const { user, answers, named } = visit("/dashboard/license", {
      ...holding(timed(-day)),
      "GET /api/subscriptions": ok([pending]),
      "POST /api/subscriptions/drop": refused(409, moving, { code: "subscription_processing" }),
    });
    const plan = await card();
    plan.getByText("Your payment is on its way. Your license starts once it arrives.");
    const cancel = async (answer: string) => {
      await user.click(plan.getByRole("button", { name: "Cancel subscription" }));
      const dialog = within(await screen.findByRole("alertdialog"));
      await user.click(dialog.getByRole("button", { name: answer }));
    };
    await cancel("Keep it");
    expect(named("POST /api/subscriptions/drop")).toHaveLength(0);
    await cancel("Cancel subscription");
    await waitFor(() => expect(plan.getByRole("alert").textContent).toBe(moving));
    expect(named("POST /api/subscriptions/drop")[0]?.body).toEqual({ id: "order_1" });
    answers["POST /api/subscriptions/drop"] = ok(null);
    answers["GET /api/subscriptions"] = ok([]);
    await cancel("Cancel subscription");
    await screen.findByText("Your license expired on Nov 22, 2026.");
  });

  test("that a lifetime license replaced stays on License until it ends", async () => {
    visit("/dashboard/license", {
      ...subscribed({ status: "ending", renews_at: null, ends_at: later(6 * day) }),
      "GET /api/licenses/me": ok([
        licence("active"),
        timed(9 * day, { key: "WISP-MONTH", subscription: "order_1" }),
      ]),
    });
    const other = within(await screen.findByRole("region", { name: "Another license" }));
    other.getByText("It won't renew. You keep Wisp Premium until Nov 29, 2026.");
    expect(
      other.getAllByRole("button", { name: /at Stripe$/ }).map(({ textContent }) => textContent),
    ).toEqual(["Invoices at Stripe"]);
  });
});

describe("License", () => {
  const regions = () =>
    within(screen.getByRole("main"))
      .getAllByRole("region")
      .map((one) => (one.id === "buy" ? "what is sold" : one.getAttribute("aria-label")))
      .filter((name) => name !== null);

  test("puts what is sold below the plan to who needs it, and below the list to who doesn't", async () => {
    const page = visit("/dashboard/license", holding(timed(-day)));
    await screen.findByRole("region", { name: "Redeem" });
    expect(regions().slice(0, 3)).toEqual(["License status", "what is sold", "Licenses"]);
    page.unmount();
    visit("/dashboard/license", holding(timed(30 * day)));
    await screen.findByRole("region", { name: "Redeem" });
    expect(regions().slice(0, 3)).toEqual(["License status", "Licenses", "what is sold"]);
  });

  test("sells nothing to a customer who has everything, but leads to a gift", async () => {
    visit("/dashboard/license", {
      ...holding(licence("active")),
      "GET /api/offers": ok([premium, month].map((offer) => ({ ...offer, adds: false }))),
    });
    const gift = await screen.findByRole("link", { name: "Send Wisp as a gift" });
    expect(gift.getAttribute("href")).toBe("/?gift");
    expect(document.getElementById("buy")).toBeNull();
    expect(prominent()).toEqual(["Download"]);
  });

  test("the table says beside the status why a license is inactive", async () => {
    visit("/dashboard/license", holding(licence("refunded"), licence("suspended"), licence("revoked")));
    const table = within(await screen.findByRole("table", { name: "Licenses" }));
    const states = table
      .getAllByRole("row")
      .slice(1)
      .map((row) => row.querySelector("td")?.textContent);
    expect(states).toEqual(["InactivePayment refunded", "InactiveSuspended by support", "InactiveRevoked"]);
  });
});
