import { expect, setSystemTime, spyOn, test } from "bun:test";
import { act, screen, waitFor, within } from "@testing-library/react";
import { ada, asAda, lifetime, ok, signedOut, silence, unreachable, visit } from "./browser";

const me = "GET /api/user/me";
const unlicensed = { ...asAda, [me]: ok({ ...ada, active_license: false }) };
const locked = "You must have an active license to visit the download page";

test("visitors who are not signed in are sent to sign in", async () => {
  visit("/dashboard/license");
  await waitFor(() => expect(location.pathname).toBe("/login"));
});

test("the dashboard's skeleton is shown until the session is known", async () => {
  visit("/dashboard", { [me]: silence });
  await screen.findByText("Loading your dashboard…");
  expect(location.pathname).toBe("/dashboard");
});

test("an unreachable server signs nobody out and offers a retry", async () => {
  const { user, answers } = visit("/dashboard", { ...asAda, [me]: unreachable });
  await screen.findByText("An error occurred while attempting to reach the server");
  expect(location.pathname).toBe("/dashboard");
  answers[me] = ok(ada);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("Total Users");
});

test("a session that ended elsewhere leads to sign-in", async () => {
  visit("/dashboard/payments", {
    ...asAda,
    "GET /api/payments": signedOut,
  });
  await waitFor(() => expect(location.pathname).toBe("/login"));
});

/** The browser brings a page back as it was left. */
const comeBack = () =>
  act(() => void dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })));

test("a page that comes back after its session ended elsewhere leads to sign-in", async () => {
  const { answers } = visit("/dashboard/payments", { ...asAda, "GET /api/payments": ok([]) });
  await screen.findByRole("heading", { name: "Payments" });
  answers[me] = signedOut;
  comeBack();
  await waitFor(() => expect(location.pathname).toBe("/login"));
});

test("a page that comes back to another account forgets what it knew of the one before", async () => {
  const { answers, named } = visit("/dashboard/account#details", asAda);
  await screen.findByDisplayValue("ada@example.com");
  answers[me] = ok({ ...ada, id: "another", username: "bea", email: "bea@example.com" });
  comeBack();
  await screen.findByDisplayValue("bea@example.com");
  expect(screen.queryByDisplayValue("ada@example.com")).toBeNull();
  expect(named(me)).toHaveLength(2);
});

test("a page that comes back to its own account keeps what was typed", async () => {
  const { user, named } = visit("/dashboard/license", asAda);
  const field = await screen.findByPlaceholderText(/^WISP/);
  await user.type(field, "WISP-1");
  comeBack();
  await waitFor(() => expect(named(me)).toHaveLength(2));
  expect(screen.getByPlaceholderText<HTMLInputElement>(/^WISP/).value).toBe("WISP-1");
});

test("the side navigation has three groups with their pages", async () => {
  visit("/dashboard", asAda);
  const navigation = await screen.findByRole("navigation", { name: "Dashboard" });
  const entries = (group: string) =>
    within(within(navigation).getByRole("list", { name: group }))
      .getAllByRole("link")
      .map((link) => [link.textContent, link.getAttribute("href")]);
  expect(entries("Main")).toEqual([
    ["Dashboard", "/dashboard"],
    ["Download", "/dashboard/download"],
  ]);
  expect(entries("Support").map(([name]) => name)).toEqual([
    "Documentation(opens in a new tab)",
    "Tickets",
    "Discord(opens in a new tab)",
  ]);
  expect(entries("Account")).toEqual([
    ["Settings", "/dashboard/settings"],
    ["License", "/dashboard/license"],
    ["Payments", "/dashboard/payments"],
    ["Logout", "/logout"],
  ]);
});

test("without an active licence Download is locked, focusable and says why", async () => {
  const { user } = visit("/dashboard", unlicensed);
  const download = await waitFor(() => {
    const entry = screen.getByRole("button", { name: /^Download/ });
    // its tooltip comes after the page
    expect(entry.dataset["state"]).toBe("closed");
    return entry;
  });
  expect(download.getAttribute("aria-disabled")).toBe("true");
  expect(download.querySelector(".lucide-lock")).not.toBeNull();
  act(() => download.focus());
  expect((await screen.findByRole("tooltip")).textContent).toBe(locked);
  await user.click(download);
  expect(location.pathname).toBe("/dashboard");
});

test("the navigation collapses and stays collapsed", async () => {
  const page = visit("/dashboard", asAda);
  await page.user.click(await screen.findByRole("button", { name: "Collapse navigation" }));
  expect(document.querySelector("#sidebar")?.getAttribute("data-state")).toBe("collapsed");
  page.unmount();
  visit("/dashboard", asAda);
  await screen.findByRole("button", { name: "Expand navigation" });
});

test("the avatar shows the initial and opens the account menu", async () => {
  const { user } = visit("/dashboard", asAda);
  const avatar = await screen.findByRole("button", { name: "Account of ada" });
  expect(avatar.textContent).toBe("A");
  await user.click(avatar);
  const menu = await screen.findByRole("menu");
  expect(
    within(menu)
      .getAllByRole("menuitem")
      .map((item) => [item.textContent, item.getAttribute("href")]),
  ).toEqual([
    ["Settings", "/dashboard/settings"],
    ["License", "/dashboard/license"],
    ["Logout", "/logout"],
  ]);
  // what lies outside the landmarks is missed by who goes from one to the next
  expect(menu.closest("header")).not.toBeNull();
});

test("the avatar of an account without a name shows NA", async () => {
  visit("/dashboard", { ...asAda, [me]: ok({ ...ada, username: "" }) });
  await screen.findByText("NA");
});

test("on a phone the navigation opens as a sheet", async () => {
  const { user } = visit("/dashboard", asAda);
  await user.click(await screen.findByRole("button", { name: "Open navigation" }));
  const sheet = await screen.findByRole("dialog", { name: "Navigation" });
  await user.click(within(sheet).getByRole("button", { name: "Close navigation" }));
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Navigation" })).toBeNull());
});

test("any other path under the dashboard is not found, and the menu stays", async () => {
  visit("/dashboard/nowhere", asAda);
  await screen.findByRole("heading", { level: 1, name: "Page does not exist" });
  screen.getByRole("navigation", { name: "Dashboard" });
  expect(screen.getByRole("link", { name: "Go Home" }).getAttribute("href")).toBe("/");
  expect(screen.getByRole("link", { name: "Go to your dashboard" }).getAttribute("href")).toBe("/dashboard");
});

for (const [path, names] of [
  ["/dashboard/transaction", ["Dashboard", "Payments", "Transaction"]],
  ["/dashboard/discord-callback", ["Dashboard", "Discord"]],
  ["/dashboard/nowhere", ["Dashboard", "Page not found"]],
] as const) {
  test(`the breadcrumb of ${path} names each page`, async () => {
    visit(path, asAda);
    const breadcrumb = await screen.findByRole("navigation", { name: "Breadcrumb" });
    const items = within(breadcrumb).getAllByRole("listitem");
    expect(items.map(({ textContent }) => textContent)).toEqual([...names]);
  });
}

const pastDue = (until: string) => ({
  ...asAda,
  [me]: ok({ ...ada, past_due: { subscription: "sub-1", until } }),
});

// at home and on License the account's own card says it (`standing.test.tsx`)
test.each(["/dashboard/settings", "/dashboard/ticket?id=12"])(
  "%s says once that a payment failed, and Stripe's page leads back to it",
  async (path) => {
    setSystemTime(new Date("2026-12-23T12:00:00Z"));
    const left = spyOn(location, "assign").mockImplementation(() => {});
    const { user, named } = visit(path, {
      ...pastDue("2026-12-26T12:00:00Z"),
      "GET /api/tickets/12": silence,
      "GET /api/user/sessions": ok([], { next: null }),
      "POST /api/subscriptions/portal": ok({ url: "https://billing.stripe.test/p/session" }),
    });
    const banner = await screen.findByRole("region", { name: "Payment failed" });
    expect(banner.textContent).toContain(
      "Your last payment failed. Update your card by Dec 26, 2026 to keep your license.",
    );
    expect(screen.getAllByText(/payment failed/i)).toHaveLength(1);
    await user.click(within(banner).getByRole("button", { name: /^Update card/ }));
    await waitFor(() => expect(left).toHaveBeenCalledWith("https://billing.stripe.test/p/session"));
    expect(named("POST /api/subscriptions/portal")[0]?.body).toEqual({
      id: "sub-1",
      flow: "card",
      return_to: path,
    });
  },
);

test("once the license has ended, the banner says how to get it back", async () => {
  visit("/dashboard/settings", {
    ...pastDue("2020-01-01T00:00:00Z"),
    "GET /api/user/sessions": ok([], { next: null }),
  });
  const banner = await screen.findByRole("region", { name: "Payment failed" });
  expect(banner.textContent).toContain("your license has ended. Update your card to get it back.");
});

test("without a failed payment there is no banner, and nothing is asked about subscriptions", async () => {
  const { named } = visit("/dashboard", { ...asAda, "GET /api/licenses/me": ok([lifetime]) });
  await screen.findByText("Total Users");
  expect(screen.queryByRole("region", { name: "Payment failed" })).toBeNull();
  expect(named("GET /api/subscriptions")).toEqual([]);
});

test("an account without an address is asked for one on every page, unless the shop sends no mail", async () => {
  const unnamed = { ...ada, email: null, email_confirmed: false };
  const view = visit("/dashboard", { ...asAda, [me]: ok(unnamed) });
  const banner = await screen.findByRole("region", { name: "No email address" });
  within(banner).getByRole("link", { name: "Enter your address" });
  view.unmount();
  visit("/dashboard", { ...asAda, [me]: ok({ ...unnamed, sends_mail: false }) });
  await screen.findByText("Total Users");
  expect(screen.queryByRole("region", { name: "No email address" })).toBeNull();
});
