/** Home's first card: where the customer stands, and what to do now. */
import { afterEach, beforeEach, describe, expect, setSystemTime, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import type { FileSizes } from "@/contract/wire/releases";
import type { Licence } from "@/contract/wire/licences";
import type { Subscription } from "@/contract/wire/subscriptions";
import { day, hour } from "@/contract/vocabulary/time";
import { ada, type Answers, asAda, licence, ok, refused, toastSaying, unreachable, visit } from "./browser";

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

const buy = "/dashboard/license#buy";
const download = ["Download", "/dashboard/download"];
const renew = ["Renew", buy];
const payment = ["See payment", "/dashboard/transaction?payment_intent=pi_1"];
const support = ["Ask support", "/dashboard/tickets"];

const card = async () => within(await screen.findByRole("region", { name: "License status" }));
/** The card's heading, sentence and links. */
async function cardTexts() {
  const region = await screen.findByRole("region", { name: "License status" });
  const links = within(region)
    .queryAllByRole("link")
    .map((link) => [link.textContent, link.getAttribute("href")]);
  const sentence = region.querySelector("[data-slot=sentence]")?.textContent;
  return [within(region).getByRole("heading").textContent, sentence, links];
}

describe("above its cards Home says", () => {
  const cases: [string, Licence[], Awaited<ReturnType<typeof cardTexts>>][] = [
    [
      "for life, with a lifetime licence",
      [licence("active"), timed(3 * day)],
      ["Wisp Premium · Active · for life", undefined, [download]],
    ],
    [
      "until when a licence runs, the latest end of all",
      [timed(8 * day), timed(30 * day), licence("refunded")],
      ["Wisp Premium · Active · until Dec 23, 2026", undefined, [download]],
    ],
    [
      "when a licence ends within seven days, and how to renew it",
      [timed(5 * day + hour)],
      [
        "Wisp Premium · Active · until Nov 28, 2026",
        "It ends in 5 days. What you buy now is added to its end.",
        [renew, download],
      ],
    ],
    [
      "the hours on the last day",
      [timed(5 * hour + 1)],
      [
        "Wisp Premium · Active · until Nov 23, 2026",
        "It ends in 5 hours. What you buy now is added to its end.",
        [renew, download],
      ],
    ],
    [
      "nothing about buying while another payment is disputed",
      [timed(2 * day), licence("disputed")],
      [
        "Wisp Premium · Active · until Nov 25, 2026",
        "It ends in 2 days. Your bank disputed USD 5.00.",
        [download, payment],
      ],
    ],
    [
      "when it ended",
      [timed(-3 * day), timed(-9 * day)],
      [
        "Wisp Premium · Ended Nov 20, 2026",
        "Your account stays as it is. Renew the license to go on.",
        [renew],
      ],
    ],
    [
      "what the bank disputed",
      [licence("disputed"), timed(-3 * day)],
      ["Wisp Premium · Paused", "Your bank disputed USD 5.00. Paused until it decides.", [payment, support]],
    ],
    [
      "that a payment was disputed, if it isn't listed",
      [licence("disputed", { payment_id: "pi_0" })],
      [
        "Wisp Premium · Paused",
        "Your bank disputed the payment. Paused until it decides.",
        [["See payment", "/dashboard/transaction?payment_intent=pi_0"], support],
      ],
    ],
    [
      "that a refund ended it",
      [licence("refunded")],
      [
        "Wisp Premium · Refunded",
        "Its payment was refunded in full, and that ended the license.",
        [["Buy again", buy], payment],
      ],
    ],
    [
      "why it is suspended",
      [licence("suspended")],
      [
        "Wisp Premium · Suspended",
        "Our support team has suspended it, and with it downloads and the premium role.",
        [support],
      ],
    ],
    [
      "why it was revoked",
      [licence("revoked")],
      [
        "Wisp Premium · Revoked",
        "It was ended for good: by our support team, or because the bank decided a dispute about its payment in the buyer's favor.",
        [support, payment],
      ],
    ],
    [
      "why it doesn't count in this mode",
      [licence("other_mode", { payment_id: null })],
      [
        "Wisp Premium · Doesn't count here",
        "It was bought while the shop took the other kind of payments, test or real ones.",
        [support],
      ],
    ],
    [
      "how to get a first license",
      [],
      [
        "No license yet",
        "Buy one, or redeem a key that you have.",
        [
          ["Buy", buy],
          ["Redeem a key", "/dashboard/license#redeem"],
        ],
      ],
    ],
  ];
  for (const [what, licences, expected] of cases) {
    test(what, async () => {
      visit("/dashboard", holding(...licences));
      expect(await cardTexts()).toEqual(expected);
      if (licences.some(({ disputed }) => disputed)) {
        expect(document.body.textContent).not.toMatch(/\b(buy|renew|purchase|get a license)\b/i);
      }
    });
  }

  test("an unused key first: it is added before anything else is bought", async () => {
    const unused = { key: "WISP-7K3M-QX9T-0B2C-ZZ8V", name: "One month", days: 30, payment_id: "pi_2" };
    const answers = { "GET /api/licenses/unused": ok([unused]) };
    const expired = visit("/dashboard", { ...holding(timed(-day)), ...answers });
    expect((await cardTexts()).slice(1)).toEqual(["Your account stays as it is. Add your key to go on.", []]);
    expired.unmount();
    const ending = visit("/dashboard", { ...holding(timed(3 * day)), ...answers });
    expect((await cardTexts()).slice(1)).toEqual(["It ends in 3 days. Add your key to go on.", [download]]);
    ending.unmount();
    visit("/dashboard", { ...holding(), ...answers });
    expect((await cardTexts()).slice(1)).toEqual(["Add your key to begin.", []]);
  });

  test("nothing, rather than something wrong, if the licenses can't be fetched", async () => {
    visit("/dashboard", { ...holding(licence("active")), "GET /api/licenses/me": unreachable });
    await screen.findByText("Online");
    expect(screen.queryByRole("region", { name: "License status" })).toBeNull();
  });
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

  const asOn = (value: string) =>
    Object.defineProperty(navigator, "userAgent", { value, configurable: true });
  afterEach(() => void Reflect.deleteProperty(navigator, "userAgent"));

  test("downloads the first file of their own system from Home", async () => {
    asOn("Mozilla/5.0 (X11; Linux x86_64)");
    visit("/dashboard", {
      ...holding(licence("active")),
      "GET /api/version/filesizes": sizes({ linux_deb: 1, win_exe: 1 }),
    });
    const link = await (await card()).findByRole("link", { name: /^Download for Linux/ });
    expect(link.getAttribute("href")).toBe("/api/download/linux/deb");
  });

  for (const userAgent of ["Mozilla/5.0 (X11; Linux x86_64)", "Mozilla/5.0 (Linux; Android 15; Pixel)"]) {
    test(`is led to all downloads if there is no file for ${userAgent}`, async () => {
      asOn(userAgent);
      visit("/dashboard", {
        ...holding(licence("active")),
        "GET /api/version/filesizes": sizes({ win_exe: 1 }),
      });
      const link = await (await card()).findByRole("link", { name: "Download" });
      expect(link.getAttribute("href")).toBe("/dashboard/download");
    });
  }

  test("copies the key that runs longest", async () => {
    const { user } = visit(
      "/dashboard",
      holding(timed(30 * day, { key: "WISP-LONG" }), timed(8 * day, { key: "WISP-SHORT" })),
    );
    await user.click(await (await card()).findByRole("button", { name: "Copy key" }));
    await (await card()).findByText("Copied", { selector: "output" });
    expect(await navigator.clipboard.readText()).toBe("WISP-LONG");
  });
});

describe("the first three steps", () => {
  const steps = () => screen.findByRole("region", { name: "First steps" }).then(within);
  const done = async () =>
    (await steps()).getAllByRole("listitem").map((item) => item.dataset.done === "true");
  const beginner = holding(licence("active"));
  const as = (changes: Partial<typeof ada>): Answers => ({
    ...beginner,
    "GET /api/user/me": ok({ ...ada, api_key: "token-1", ...changes }),
  });

  test("tick what the shop knows: an attached computer has the application and the token", async () => {
    const page = visit("/dashboard", as({ hwid_set: true }));
    expect(await done()).toEqual([true, true, false]);
    page.unmount();
    visit("/dashboard", as({ discord_authed: true }));
    expect(await done()).toEqual([false, false, true]);
  });

  test("ask for Discord only from customers who use it", async () => {
    visit("/dashboard", beginner);
    expect((await steps()).getAllByRole("listitem").at(-1)?.textContent).toStartWith("If you use Discord,");
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
    await page.user.click((await steps()).getByRole("button", { name: "Close first steps" }));
    await waitFor(() => expect(screen.queryByRole("region", { name: "First steps" })).toBeNull());
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
const subscribed = (change: Partial<Subscription> = {}): Answers => ({
  ...holding(timed(3 * day, { subscription: "order_1" })),
  "GET /api/subscriptions": ok([{ ...subscription, ...change }]),
});

test.each([
  [{}, "Wisp Premium · Active · renews Dec 13, 2026"],
  [{ status: "trialing" as const }, "Wisp Premium · Trial · until Dec 13, 2026 · then USD 3.00"],
  [
    { status: "ending" as const, renews_at: null, ends_at: later(2 * day) },
    "Wisp Premium · Active · ends Nov 25, 2026",
  ],
  [
    { status: "past_due" as const, renews_at: null, amount: null },
    "Wisp Premium · Payment failed · until Nov 26, 2026",
  ],
])("Home says when a subscription (%j) renews or ends, and leads to Billing", async (change, title) => {
  visit("/dashboard", subscribed(change));
  const card = await screen.findByRole("region", { name: "License status" });
  expect(card.textContent).toContain(title);
  expect(within(card).getByRole("link", { name: "Billing" }).getAttribute("href")).toBe(
    "/dashboard/license#billing",
  );
  expect(within(card).queryByRole("link", { name: "Renew" })).toBeNull();
});

test("License says that a subscription was canceled while a payment is missing, and offers no cancelling", async () => {
  visit(
    "/dashboard/license",
    subscribed({ status: "past_due", renews_at: null, amount: null, ends_at: later(20 * day) }),
  );
  const billing = await screen.findByRole("region", { name: "Billing" });
  expect(billing.textContent).toContain("Canceled. The last payment failed.");
  expect(within(billing).getByRole("button", { name: "Resume" })).toBeTruthy();
  expect(within(billing).queryByRole("button", { name: "Cancel" })).toBeNull();
});

test("License lists a subscription with its next charge and card, and opens Stripe's page", async () => {
  const { user, named } = visit("/dashboard/license", {
    ...subscribed(),
    "POST /api/subscriptions/portal": refused(502, "Stripe is away"),
  });
  const billing = await screen.findByRole("region", { name: "Billing" });
  expect(billing.textContent).toContain("Renews on Dec 13, 2026 for USD 3.00.");
  expect(billing.textContent).toContain("Visa ending in 4242");
  await user.click(within(billing).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(within(billing).getByRole("alert").textContent).toBe("Stripe is away"));
  expect(named("POST /api/subscriptions/portal")[0]?.body).toEqual({
    id: "order_1",
    flow: "cancel",
    return_to: "/dashboard/license",
  });
});

test("License lists a subscription whose first payment is on its way, and cancels it if the bank doesn't move the money yet", async () => {
  const pending = { ...subscription, status: "pending" as const, renews_at: null, amount: null, card: null };
  const moving = "Your bank is moving the money already";
  const { user, answers, named } = visit("/dashboard/license", {
    ...subscribed(),
    "GET /api/subscriptions": ok([pending]),
    "POST /api/subscriptions/drop": refused(409, moving, { code: "subscription_processing" }),
  });
  const billing = await screen.findByRole("region", { name: "Billing" });
  expect(billing.textContent).toContain("Your first payment is on its way.");
  expect(within(billing).getAllByRole("button")).toHaveLength(1);
  const cancel = async (answer: string) => {
    await user.click(within(billing).getByRole("button", { name: "Cancel" }));
    await user.click(await screen.findByRole("button", { name: answer }));
  };
  await cancel("Keep it");
  expect(named("POST /api/subscriptions/drop")).toHaveLength(0);
  await cancel("Cancel subscription");
  await waitFor(() => expect(within(billing).getByRole("alert").textContent).toBe(moving));
  expect(named("POST /api/subscriptions/drop")[0]?.body).toEqual({ id: "order_1" });
  answers["POST /api/subscriptions/drop"] = ok(null);
  answers["GET /api/subscriptions"] = ok([]);
  await cancel("Cancel subscription");
  await waitFor(() => expect(screen.queryByRole("region", { name: "Billing" })).toBeNull());
});

test("License says until when one renews that ends later, and when a paused one resumes", async () => {
  const page = visit("/dashboard/license", subscribed({ ends_at: later(90 * day) }));
  const billing = await screen.findByRole("region", { name: "Billing" });
  expect(billing.textContent).toMatch(/Renews on Dec 13, 2026 for USD 3.00, and ends on .* 2027/);
  page.unmount();
  visit("/dashboard/license", subscribed({ status: "paused", amount: null }));
  const paused = await screen.findByRole("region", { name: "Billing" });
  expect(paused.textContent).toContain("Nothing is charged until Dec 13, 2026; your license goes on then.");
});
