import { describe, expect, spyOn, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { brand } from "@/brand/brand";
import type { PurchaseResult } from "@/contract/wire/payments";
import { pauseBeforeAsking } from "@/web/api/payments";
import { waitingCode } from "@/web/parts/devices/waiting-code";
import { pendingFacts } from "@/web/parts/payment/pending";
import {
  type Answers,
  asAda,
  hasFocus,
  limitedFor,
  ok,
  premium,
  purchase,
  rateLimited,
  refused,
  signsIn,
  silence,
  toastSaying,
  unreachable,
  visit,
} from "./browser";

const verify = "GET /api/stripe/verify-payment";
const key = "WISP-61Y5-S1EE-BVJN-C1PM";
const masked = "WISP-••••-••••-••••-C1PM";
const created = new Date(2026, 4, 31, 16, 5);

const paid: PurchaseResult = { ...purchase, id: "pi_123" };

const answer = (changes: object = {}, headline = "Payment Verified"): Answers => ({
  [verify]: ok({ ...paid, ...changes }, { status_message: headline }),
});

const open = (answers: Answers, path = "/success?session_id=cs_test_1") => visit(path, answers);

/** The specification's rows, visible in every state. */
const rows = [
  "Transaction ID",
  "Created At",
  "Amount",
  "Customer Email",
  "Receipt Status",
  "License Key",
] as const;

/** The value beside a name of the grid. */
const fact = (name: string) => screen.getByText(name, { selector: "dt" }).nextElementSibling;
const picture = () => document.querySelector("[data-outcome]")?.getAttribute("data-outcome");

test("while the payment is verified, it says so", async () => {
  open({ [verify]: silence });
  await screen.findByText("Verifying payment…");
});

test("a verified payment names what was bought, says where the key went, and shows every fact about it", async () => {
  open(answer());
  await screen.findByRole("heading", { name: "Payment Verified" });
  expect(picture()).toBe("verified");
  screen.getByText("Wisp Premium, lifetime");
  screen.getByText("Thank you!");
  screen.getByText("Also emailed to ada@example.com.");
  expect(fact("Transaction ID")?.textContent).toBe("pi_123");
  expect(fact("Created At")?.textContent).toBe("5/31/26 at 4:05 PM");
  expect(fact("Amount")?.textContent).toBe("USD 5.00");
  expect(fact("Customer Email")?.textContent).toBe("ada@example.com");
  expect(fact("Receipt Status")?.textContent).toBe("Successfully Sent");
  expect(fact("License Key")?.textContent).toBe(key);
});

test("a payment names its level in a shop that sells several", async () => {
  const offers = ["premium", "team"].map((id) => ({ ...premium, level: { id, name: id } }));
  document.documentElement.dataset["offers"] = JSON.stringify(offers);
  open(answer({ offer_name: "One month", level: { id: "premium", name: "Pro" } }));
  await screen.findByText("One month, Pro, lifetime");
  delete document.documentElement.dataset["offers"];
});

test.each([
  [true, "Thank you! Free until May 31, 2026. Then USD 3.00 every month, until you cancel."],
  [false, "Thank you! Renews on May 31, 2026 for USD 3.00, until you cancel."],
])("a subscription (on trial: %p) says what is charged next and when", async (trial, text) => {
  open(
    answer({
      for_account: "added",
      next_charge: {
        at: created.toISOString(),
        amount: 300,
        currency: "usd",
        every: "month",
        trial,
        reduced: false,
      },
    }),
  );
  await screen.findByText(text);
});

test("a buyer who subscribed without an account reads how to cancel", async () => {
  const next = { at: created.toISOString(), amount: 300, currency: "usd", every: "month", trial: false };
  open(answer({ for_account: null, next_charge: { ...next, reduced: false } }));
  await screen.findByText(/until you cancel\. To cancel, use the link in your receipt\.$/);
});

test("the session is removed from the URL at once, and a reload still knows it", async () => {
  const page = open(answer());
  await screen.findByRole("heading", { name: "Payment Verified" });
  expect(page.named(verify)[0]?.query.get("session_id")).toBe("cs_test_1");
  expect(location.href).toBe("http://localhost:3000/success");

  page.unmount();
  const again = visit(null, answer());
  await screen.findByRole("heading", { name: "Payment Verified" });
  expect(again.named(verify)[0]?.query.get("session_id")).toBe("cs_test_1");
});

for (const [status, headline, title, outcome] of [
  ["Payment Successful", "Payment Verified", "Payment Verified", "verified"],
  ["Payment Successful", "Welcome aboard", "Welcome aboard", "unknown"],
  ["Payment Failed", "ignored", "Payment Failed", "failed"],
  ["Payment Canceled", "ignored", "Payment Canceled", "failed"],
  ["Payment Pending", "ignored", "Payment Pending", "pending"],
  ["Payment Disputed", "ignored", "Payment Disputed", "disputed"],
  ["Payment Refunded", "ignored", "Payment Refunded", "unknown"],
] as const) {
  test(`${status} with '${headline}' is headed '${title}' under the ${outcome} picture`, async () => {
    open(answer({ status }, headline));
    await screen.findByRole("heading", { name: title });
    expect(picture()).toBe(outcome);
    for (const name of rows) expect(fact(name)).not.toBeNull();
  });
}

for (const [how, given, reason] of [
  ["out of reach", unreachable, "An error occurred while attempting to reach the server"],
  ["refusing", refused(404, "There is no such payment"), "There is no such payment"],
  ["asking for patience", rateLimited, "Too many requests, please try again in 12 seconds"],
  ["answering without a status", ok({}), "An unkown error has occured"],
] as const) {
  test(`a server ${how} leaves the page without a status and its grid empty`, async () => {
    open({ [verify]: given });
    await screen.findByRole("heading", { name: "Could Not Fetch Status" });
    expect(picture()).toBe("unknown");
    screen.getByText(reason);
    for (const name of rows) expect(fact(name)?.textContent).toBe("-");
  });
}

test("without a session there is nothing to ask for", async () => {
  const { named } = open({}, "/success");
  await screen.findByRole("heading", { name: "Could Not Fetch Status" });
  expect(named(verify)).toEqual([]);
});

test("missing facts are '-', an invalid date is 'Unkown'", async () => {
  open(answer({ email: null, license_key: null, license_keys: [], id: "", created: "yesterday" }));
  await screen.findByRole("heading", { name: "Payment Verified" });
  for (const name of ["Transaction ID", "Customer Email", "Receipt Status", "License Key"])
    expect(fact(name)?.textContent).toBe("-");
  expect(fact("Created At")?.textContent).toBe("Unkown");
});

test("the amount has as many decimals as its currency", async () => {
  open(answer({ currency: "jpy", amount: 1500 }));
  await screen.findByRole("heading", { name: "Payment Verified" });
  expect(fact("Amount")?.textContent).toBe("JPY 1,500");
});

test("a receipt that did not go out is 'Not Delivered'", async () => {
  open(answer({ sent_receipt: false }));
  await screen.findByRole("heading", { name: "Payment Verified" });
  expect(fact("Receipt Status")?.textContent).toBe("Not Delivered");
});

test("a disputed payment's key is struck through", async () => {
  open(answer({ status: "Payment Disputed" }));
  await screen.findByRole("heading", { name: "Payment Disputed" });
  expect(fact("License Key")?.querySelector("s")?.textContent).toBe(key);
});

test("Register appears for a verified payment only, and passes on key and email", async () => {
  const page = open(answer());
  const register = await screen.findByRole("link", { name: "Register" });
  expect(register.getAttribute("href")).toBe(`/register?license_key=${key}&email=ada%40example.com`);
  expect(screen.getByRole("link", { name: "Go Home" }).getAttribute("href")).toBe("/");
  await page.user.click(register);
  expect((await screen.findByLabelText<HTMLInputElement>("License key")).value).toBe(key);
  page.unmount();

  open(answer({ status: "Payment Pending" }));
  await screen.findByRole("link", { name: "Go Home" });
  expect(screen.queryByRole("link", { name: "Register" })).toBeNull();
});

test("a signed-in buyer redeems the key on their account with one click, and is not asked to register", async () => {
  const { user, sent } = open({
    ...asAda,
    ...answer(),
    "POST /api/licenses/redeem": ok({ expiry_date: null }),
    "GET /api/licenses/me": ok([]),
  });
  const use = await screen.findByRole("button", { name: "Use it on this account" });
  expect(screen.queryByRole("link", { name: "Register" })).toBeNull();
  const home = screen.getByRole("link", { name: "Go Home" });
  expect(use.compareDocumentPosition(home)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await user.click(use);
  await toastSaying("Successfully redeemed key, expires never");
  expect(sent("POST /api/licenses/redeem")).toMatchObject([{ key }]);
  await waitFor(() => expect(location.pathname).toBe("/dashboard/license"));
});

test("a signed-in buyer is told why the key could not be redeemed, and stays on the page", async () => {
  const { user } = open({
    ...asAda,
    ...answer(),
    "POST /api/licenses/redeem": refused(409, "That license key has already been redeemed"),
  });
  await user.click(await screen.findByRole("button", { name: "Use it on this account" }));
  await toastSaying("That license key has already been redeemed");
  expect(location.pathname).toBe("/success");
});

test("a signed-in buyer whose key somebody else redeemed is led to their licenses", async () => {
  open({ ...asAda, ...answer({ license_key: masked, license_keys: [masked], redeemed_keys: [0] }) });
  const licences = await screen.findByRole("link", { name: "Your licenses" });
  expect(licences.getAttribute("href")).toBe("/dashboard/license");
  expect(screen.queryByRole("button", { name: "Use it on this account" })).toBeNull();
  expect(screen.queryByRole("link", { name: "Register" })).toBeNull();
});

test("a buyer who has an account signs in and finds the key in the box that redeems it", async () => {
  const page = open({
    ...asAda,
    "GET /api/user/me": refused(401, "No", { code: "unauthenticated" }),
    ...answer(),
    "GET /api/licenses/me": ok([]),
  });
  await page.user.click(await screen.findByRole("link", { name: "I have an account" }));
  page.answers["POST /api/auth/login"] = signsIn;
  await screen.findByRole("heading", { name: "Welcome back" });
  await page.user.type(screen.getByLabelText("Username"), "ada");
  await page.user.type(screen.getByLabelText("Password"), "ada-likes-engines");
  await page.user.click(screen.getByRole("button", { name: "Login" }));
  const box = await screen.findByLabelText<HTMLInputElement>("Redeem a license key");
  expect(box.value).toBe(key);
  await waitFor(() => expect(location.href).toBe("http://localhost:3000/dashboard/license"));
});

test("a masked key is neither passed on to registration nor offered for copying", async () => {
  open(answer({ license_key: masked, license_keys: [masked], email: null }));
  const register = await screen.findByRole("link", { name: "Register" });
  expect(register.getAttribute("href")).toBe("/register");
  expect(screen.queryByRole("button", { name: "Copy license key" })).toBeNull();
});

test("the key can be copied", async () => {
  const { user } = open(answer());
  await user.click(await screen.findByRole("button", { name: "Copy license key" }));
  expect(await navigator.clipboard.readText()).toBe(key);
  const said = await screen.findByText("Copied", { selector: "output" });
  expect(said.closest("button")).toBeNull();
  // announced once: the name of the button that has focus stays
  screen.getByRole("button", { name: "Copy license key" });
});

test("a browser that forbids copying is told", async () => {
  const { user } = open(answer());
  const button = await screen.findByRole("button", { name: "Copy license key" });
  spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("forbidden"));
  await user.click(button);
  await toastSaying("Your browser doesn't allow copying here. Select the text and copy it yourself.");
});

test("the same live region says what is asked, what was answered and that it is asked again", async () => {
  const late = Promise.withResolvers<Response>();
  const { user } = open({ [verify]: () => late.promise });
  const status = (await screen.findByText("Verifying payment…")).closest("output");
  const heading = screen.getByRole("heading", { name: "Verifying payment…" });
  if (!status) throw new Error("there is no live region");
  late.resolve(Response.json({ status: 200, data: paid, status_message: "Payment Verified" }));
  const title = await screen.findByRole("heading", { name: "Payment Verified" });
  expect(status.contains(title)).toBe(true);
  // after a navigation it has the focus, and keeps it
  expect(title === heading).toBe(true);
  const refresh = screen.getByRole("button", { name: "Refresh status" });
  await user.click(refresh);
  expect(within(status).getByRole("heading").textContent).toBe("Refreshing…");
  // a button that was disabled would have lost it
  expect(hasFocus(refresh)).toBe(true);
});

test("a refresh asks again and shows skeletons for about a second, however quick the answer", async () => {
  const { user, answers, named } = open(answer({ status: "Payment Pending" }));
  await screen.findByRole("heading", { name: "Payment Pending" });
  answers[verify] = ok(paid, { status_message: "Payment Verified" });
  const started = performance.now();
  await user.click(screen.getByRole("button", { name: "Refresh status" }));
  const card = screen.getByRole("region", { name: "Payment" });
  expect(card.getAttribute("aria-busy")).toBe("true");
  expect(card.querySelectorAll("dd [data-slot=skeleton]")).toHaveLength(6);
  expect(within(card).getByRole("heading").textContent).toBe("Refreshing…");
  await screen.findByRole("heading", { name: "Payment Verified" }, { timeout: 5_000 });
  expect(performance.now() - started).toBeGreaterThan(900);
  expect(card.querySelectorAll("[data-slot=skeleton]")).toHaveLength(0);
  expect(named(verify)).toHaveLength(2);
});

test("a pending payment is polled, at growing intervals", () => {
  const pending = { status: "Payment Pending" } as const;
  expect(pauseBeforeAsking(pending, 1)).toBe(5_000);
  expect(pauseBeforeAsking(pending, 12)).toBe(20_000);
  expect(pauseBeforeAsking(paid, 1)).toBe(false);
  expect(pauseBeforeAsking({ status: "Payment Failed" }, 1)).toBe(false);
  expect(pauseBeforeAsking(undefined, 0)).toBe(false);
});

test("a receipt that is still on its way is looked for a few times", () => {
  const unsent = { ...paid, sent_receipt: false };
  expect(pauseBeforeAsking(unsent, 1)).toBe(3_000);
  expect(pauseBeforeAsking(unsent, 5)).toBe(false);
  expect(pauseBeforeAsking({ ...unsent, email: null }, 1)).toBe(false);
});

test("a bill of more than a single amount is shown line by line, with its invoice", async () => {
  open(
    answer({
      amount: 1190,
      bill: {
        currency: "usd",
        asked: 1500,
        off: 500,
        tax: 190,
        tax_included: 0,
        credit: 0,
        outside: 0,
        paid: 1190,
        refunded: 300,
      },
      quantity: 3,
      license_keys: [key, "WISP-AAAA-AAAA-AAAA-AAAA", "WISP-BBBB-BBBB-BBBB-BBBB"],
      invoice_url: "https://invoice.example/1",
    }),
  );
  const bill = within(await screen.findByRole("region", { name: "Bill" }));
  const lines = bill.getAllByRole("term").map((term) => [term.textContent, term.nextSibling?.textContent]);
  expect(lines).toEqual([
    ["3 × Wisp Premium", "USD 15.00"],
    ["Discount", "−USD 5.00"],
    ["Tax", "USD 1.90"],
    ["Paid", "USD 11.90"],
    ["Refunded", "−USD 3.00"],
  ]);
  expect(bill.getByRole("link", { name: "See the invoice" }).getAttribute("href")).toBe(
    "https://invoice.example/1",
  );
  const keys = within(screen.getByRole("region", { name: "License keys" }));
  expect(keys.getAllByRole("listitem")).toHaveLength(3);
  expect(fact("License Key")?.textContent).toBe("3 keys");
  keys.getByRole("button", { name: "Copy all license keys" });
});

test.each([
  ["paid what was due", { asked: 500, credit: 500, paid: 0 }, ["USD 5.00", "−USD 5.00", "USD 0.00"]],
  ["was left by a switch", { asked: -200, credit: -200, paid: 0 }, ["−USD 2.00", "USD 2.00", "USD 0.00"]],
])("a bill shows credit that %s", async (_, sums, amounts) => {
  const bill = { currency: "usd", off: 0, tax: 0, tax_included: 0, outside: 0, refunded: 0, ...sums };
  open(answer({ amount: 0, bill }));
  const shown = within(await screen.findByRole("region", { name: "Bill" }));
  const lines = shown.getAllByRole("term").map((term) => [term.textContent, term.nextSibling?.textContent]);
  const [price, balance, paidLast] = amounts;
  expect(lines).toEqual([
    ["Wisp Premium", price],
    ["Applied balance", balance],
    ["Paid", paidLast],
  ]);
});

test("the default order shows its amount alone", async () => {
  open(answer());
  await screen.findByRole("heading", { name: "Payment Verified" });
  expect(screen.queryByRole("region", { name: "Bill" })).toBeNull();
});

test("a signed-in buyer of several keys redeems the first that nobody has redeemed", async () => {
  const second = "WISP-AAAA-AAAA-AAAA-AAAA";
  const { user, sent } = open({
    ...asAda,
    ...answer({ quantity: 2, license_keys: [key, second], redeemed_keys: [0] }),
    "GET /api/licenses/me": ok([]),
    "GET /api/subscriptions": ok([], { next: null }),
    "POST /api/licenses/redeem": ok({ expiry_date: null }),
  });
  await screen.findByText("2 license keys");
  screen.getByText("Redeemed");
  await user.click(await screen.findByRole("button", { name: "Use it on this account" }));
  await toastSaying("Successfully redeemed key, expires never");
  expect(sent("POST /api/licenses/redeem")).toMatchObject([{ key: second }]);
});

test("a buyer who came from a computer's code is led back to it while it lasts", async () => {
  waitingCode.remember("BDWP-HQRS", new Date(Date.now() + 60_000).toISOString());
  const message = "Thank you! Your license is on your account.";
  open({ ...asAda, ...answer({ message, for_account: "added" }) });
  const back = await screen.findByRole("link", { name: "Continue with code BDWP-HQRS" });
  expect(back.getAttribute("href")).toBe("/device?user_code=BDWP-HQRS");
  screen.getByRole("link", { name: /^Download/ });
  waitingCode.forget();
});

test("a key that would add nothing can be given away, and isn't offered for this account", async () => {
  const message =
    "Thank you! Your account already has a lifetime license, so this one wasn't added. Its key is yours to give away.";
  const { user } = open({ ...asAda, ...answer({ message, for_account: "redundant" }) });
  await screen.findByText(message);
  await screen.findByRole("button", { name: "Copy license key" });
  await user.click(await screen.findByRole("button", { name: "Copy gift message" }));
  expect(await navigator.clipboard.readText()).toBe(
    `Here is Wisp Premium for you. Register with this license key at http://localhost:3000/register:\n${key}`,
  );
  await screen.findByRole("link", { name: "Your licenses" });
  expect(screen.queryByRole("button", { name: "Use it on this account" })).toBeNull();
});

/** Whether one element comes before another in the page. */
const isBefore = (one: Element | null, other: Element | null) =>
  one !== null &&
  other !== null &&
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

const owned = { type: "premium", active: true, disputed: false, redeemed_date: null, status: "active" };

describe("first comes what the buyer bought", () => {
  test("the key, then Register, then the facts", async () => {
    open(answer());
    const register = await screen.findByRole("link", { name: "Register" });
    expect(isBefore(fact("License Key"), register)).toBe(true);
    expect(isBefore(register, fact("Transaction ID"))).toBe(true);
    const names = screen.getAllByRole("term").map(({ textContent }) => textContent);
    expect(names).toEqual([
      "License Key",
      "Transaction ID",
      "Created At",
      "Amount",
      "Customer Email",
      "Receipt Status",
    ]);
  });

  test("then three steps to a running program, of which a guest's first is an account", async () => {
    open(answer());
    const register = await screen.findByRole("link", { name: "Register" });
    const steps = screen.getByRole("list", { name: "Three steps to Wisp" });
    expect(isBefore(register, steps)).toBe(true);
    expect(isBefore(steps, fact("Transaction ID"))).toBe(true);
    const [first, second, third] = within(steps).getAllByRole("listitem");
    expect(first?.textContent).toContain("Create your account");
    expect(second?.textContent).toContain("Download Wisp");
    expect(third?.textContent).toContain("Paste your token into Wisp");
  });

  const end = new Date(2027, 0, 22, 12).toISOString();
  for (const [expiry_date, renews_at, text] of [
    [end, null, "Added to your account, runs until Jan 22, 2027"],
    [end, end, "Added to your account, renews Jan 22, 2027"],
    [null, null, "Added to your account, yours for life"],
  ] as const) {
    test(`a buyer whose account has it reads: ${text}; then downloads, and pastes the token`, async () => {
      open({
        ...asAda,
        ...answer({ for_account: "added", redeemed_keys: [0] }),
        "GET /api/licenses/me": ok([{ ...owned, key, expiry_date, renews_at }]),
      });
      expect(isBefore(await screen.findByText(text), fact("Transaction ID"))).toBe(true);
      const steps = within(screen.getByRole("list", { name: "Three steps to Wisp" }));
      expect(steps.getByRole("link", { name: /^Download/ }).className).toContain("bg-primary");
      steps.getByRole("button", { name: "Copy token" });
      expect(fact("License Key")?.textContent).toBe(key);
      expect(screen.queryByText(/emailed to/)).toBeNull();
    });
  }

  test("on a phone the shop mails the download link, and the token waits for the computer", async () => {
    const value = "Mozilla/5.0 (Linux; Android 15; Pixel)";
    Object.defineProperty(navigator, "userAgent", { value, configurable: true });
    try {
      const { user, sent } = open({
        ...asAda,
        ...answer({ for_account: "added", redeemed_keys: [0] }),
        "GET /api/licenses/me": ok([{ ...owned, key, expiry_date: null, renews_at: null }]),
        "POST /api/user/download-link": ok({ email: "ada@example.com" }),
      });
      const steps = within(await screen.findByRole("list", { name: "Three steps to Wisp" }));
      await user.click(steps.getByRole("button", { name: "Email me the download link" }));
      await steps.findByText("Sent to ada@example.com. Open it on your computer.");
      expect(sent("POST /api/user/download-link")).toEqual([{}]);
      expect(steps.queryByRole("link", { name: /^Download/ })).toBeNull();
      expect(steps.queryByRole("button", { name: "Copy token" })).toBeNull();
    } finally {
      Reflect.deleteProperty(navigator, "userAgent");
    }
  });

  test("several keys come before the facts too, and one that nobody can use is struck through", async () => {
    const keys = [key, "WISP-AAAA-AAAA-AAAA-AAAA", "WISP-BBBB-BBBB-BBBB-BBBB"];
    const { user } = open(answer({ quantity: 3, license_keys: keys, unusable_keys: [1] }));
    const list = await screen.findByRole("region", { name: "License keys" });
    expect(isBefore(list, fact("Transaction ID"))).toBe(true);
    expect([...list.querySelectorAll("s")].map(({ textContent }) => textContent)).toEqual([
      "WISP-AAAA-AAAA-AAAA-AAAA",
    ]);
    expect(screen.queryByRole("button", { name: "Copy license key 2" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Copy all license keys" }));
    expect(await navigator.clipboard.readText()).toBe(`${keys[0]}\n${keys[2]}`);
  });

  test("a refunded payment's key is struck through, and can't be copied", async () => {
    open(answer({ status: "Payment Refunded", unusable_keys: [0] }));
    await screen.findByRole("heading", { name: "Payment Refunded" });
    expect(fact("License Key")?.querySelector("s")?.textContent).toBe(key);
    expect(screen.queryByRole("button", { name: "Copy license key" })).toBeNull();
  });
});

describe("after a payment that was canceled or failed", () => {
  const checkout = "POST /api/stripe/create-checkout-session";
  const stripeKey = { "GET /api/functions/get-stripe-key": () => Response.json({ key: "pk_test" }) };
  const left = { status: "Payment Canceled", license_key: null, license_keys: [], amount: 0 };

  test("the same is ordered again, with the tab's code", async () => {
    sessionStorage.setItem("promotion-code", "LAUNCH");
    const order_again = { offer: "month", quantity: 3, gift: null };
    const { user, sent } = open({
      ...answer({ ...left, order_again }),
      ...stripeKey,
      [checkout]: refused(502, "Stripe is having a break"),
    });
    await user.click(await screen.findByRole("button", { name: "Order again" }));
    expect((await screen.findAllByText("Stripe is having a break")).length).toBeGreaterThan(0);
    expect(sent(checkout)).toEqual([{ currency: "usd", offer: "month", quantity: 3, code: "LAUNCH" }]);
  });

  test("who orders again too often waits, with the time on the button alone", async () => {
    const order_again = { offer: "month", quantity: 1, gift: null };
    const { user } = open({
      ...answer({ ...left, order_again }),
      ...stripeKey,
      [checkout]: limitedFor(42),
    });
    await user.click(await screen.findByRole("button", { name: "Order again" }));
    const waiting = await screen.findByRole("button", { name: /^Try again in 4[012] s$/ });
    expect(waiting).toHaveProperty("disabled", true);
    expect(screen.queryByText("Too many requests")).toBeNull();
  });

  test("an order whose trial was refused is ordered again without a trial", async () => {
    const order_again = { offer: "month", quantity: 1, gift: null, without_trial: true };
    const { user, sent } = open({
      ...answer({ ...left, status: "Payment Failed", order_again }),
      ...stripeKey,
      [checkout]: refused(502, "Stripe is having a break"),
    });
    await user.click(await screen.findByRole("button", { name: "Subscribe without a trial" }));
    await waitFor(() => expect(sent(checkout)).toEqual([{ currency: "usd", offer: "month", quantity: 1 }]));
  });

  test("a checkout that is still open is returned to, and nothing is ordered", async () => {
    const checkout_url = "https://checkout.stripe.test/c/pay/cs_test_1";
    open(answer({ ...left, checkout_url }));
    const link = await screen.findByRole("link", { name: "Return to checkout" });
    expect(link.getAttribute("href")).toBe(checkout_url);
    expect(screen.queryByRole("button", { name: "Order again" })).toBeNull();
    expect(screen.queryByRole("link", { name: "Find your order" })).toBeNull();
  });

  test("a gift goes to the same receiver with the same words", async () => {
    const gift = { email: "bob@example.com", from: null, message: "Happy birthday!" };
    const order_again = { offer: "premium", quantity: 1, gift };
    const { user, named } = open({
      ...answer({ ...left, status: "Payment Failed", gift, order_again }),
      ...stripeKey,
      [checkout]: refused(502, "Stripe is having a break"),
    });
    await user.click(await screen.findByRole("button", { name: "Try again" }));
    await waitFor(() => expect(named(checkout)).toHaveLength(1));
    expect(named(checkout)[0]?.body).toEqual({
      currency: "usd",
      offer: "premium",
      quantity: 1,
      gift: { email: "bob@example.com", message: "Happy birthday!" },
    });
  });

  test("somebody else's browser is led to what is on sale, and orders nothing by itself", async () => {
    open(answer({ ...left, bill: { ...paid.bill, paid: 0 } }));
    await screen.findByRole("heading", { name: "Payment Canceled" });
    expect((await screen.findByRole("link", { name: "Order again" })).getAttribute("href")).toBe("/#get");
  });
});

describe("who needs a person gets one", () => {
  const disputed = answer({ status: "Payment Disputed" });

  test("by mail, which names the payment", async () => {
    open(disputed);
    const write = await screen.findByRole("link", { name: "Write to support" });
    expect(write.getAttribute("href")).toBe(`mailto:${brand.supportEmail}?subject=Payment%20pi_123`);
    expect(write.className).toContain("bg-primary");
  });

  test("by a ticket, with an account", async () => {
    open({ ...asAda, ...disputed });
    const write = await screen.findByRole("link", { name: "Write to support" });
    expect(write.getAttribute("href")).toBe("/dashboard/tickets?new");
  });
});

test("a shop that can't be reached is asked again by the page's one button", async () => {
  const { user, answers } = open({ [verify]: unreachable });
  const again = await screen.findByRole("button", { name: "Try again" });
  answers[verify] = ok(paid, { status_message: "Payment Verified" });
  await user.click(again);
  await screen.findByRole("heading", { name: "Payment Verified" }, { timeout: 5_000 });
});

describe("a pending payment", () => {
  const pending = {
    status: "Payment Pending" as const,
    license_key: null,
    license_keys: [] as string[],
    amount: 0,
    bill: { ...paid.bill, off: 100, paid: 0 },
  };
  const now = new Date(2026, 5, 1, 12);
  const text = (payment: Partial<PurchaseResult>, at = now) =>
    Object.fromEntries(
      (pendingFacts({ ...paid, ...pending, ...payment }, at) ?? []).map((fact) => [fact.name, fact.text]),
    );

  test("says what is due, by when roughly, where the mail goes, and that the page may be closed", async () => {
    open(answer(pending));
    const panel = within(await screen.findByRole("region", { name: "What happens next" }));
    panel.getByText(/4\.00/);
    expect(fact("Amount")?.textContent).toBe("USD 4.00");
    panel.getByText("We'll email you");
    panel.getByText("The license key goes to ada@example.com.");
    panel.getByText("You can close this page. Leave it open and it updates on its own.");
    expect(text({}).Expected).toBe("By about Jun 7, 2026. Some banks take until Jun 20, 2026.");
  });

  test("says so when a bank takes long", () => {
    expect(text({}, new Date(2026, 5, 9)).Expected).toBe(
      "Your bank is slower than most; expect it by about Jun 20, 2026.",
    );
    expect(text({}, new Date(2026, 6, 9)).Expected).toBe(
      "Your bank is slower than it should be. Write to us, and we'll look into it.",
    );
  });

  test("of a gift or several keys says who gets them", () => {
    const gift = { email: "bob@example.com", from: null, message: null };
    expect(text({ gift }).Mail).toBe("The key goes to bob@example.com, the receipt to ada@example.com.");
    expect(text({ quantity: 2 }).Mail).toBe("The license keys go to ada@example.com.");
  });

  test("whose money has arrived asks for nothing", () => {
    expect(pendingFacts({ ...paid, status: "Payment Pending" }, now)).toBeNull();
  });
});
