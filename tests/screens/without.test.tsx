import { afterEach, expect, test } from "bun:test";
import { screen, within } from "@testing-library/react";
import type { Without } from "@/web/page/without";
import { ada, asAda, lifetime, ok, silence, visit } from "./browser";

/** The server writes into its pages what the shop lacks. */
const lacking = (...what: Without[]) => (document.documentElement.dataset["without"] = what.join(" "));
afterEach(() => void delete document.documentElement.dataset["without"]);

const paths = () => [...document.querySelectorAll("a")].map((link) => link.getAttribute("href"));
const licensed = { ...asAda, "GET /api/licenses/me": ok([lifetime]) };

test("without commands nothing leads to their page, which doesn't exist", async () => {
  lacking("commands");
  const page = visit("/");
  await screen.findByRole("heading", { name: "Get Wisp" });
  expect(paths()).toContain("/discord");
  expect(paths()).not.toContain("/commands");
  page.unmount();
  visit("/commands");
  await screen.findByText("404");
});

test("without Discord neither the public pages nor the dashboard lead there", async () => {
  lacking("discord");
  const landing = visit("/");
  await screen.findByRole("heading", { name: "Get Wisp" });
  expect(paths()).toContain("/commands");
  expect(paths().filter((path) => path?.includes("discord"))).toEqual([]);
  landing.unmount();
  for (const [path, shown] of [
    ["/dashboard", "First steps"],
    ["/dashboard/settings", "Hardware ID"],
    ["/dashboard/tickets?new", "Send"],
  ] as const) {
    sessionStorage.setItem("just_registered", "1");
    const page = visit(path, licensed);
    await screen.findAllByText((_, element) =>
      [element?.textContent, element?.getAttribute("aria-label")].includes(shown),
    );
    expect([path, /discord/i.exec(document.body.textContent)?.[0]]).toEqual([path, undefined]);
    page.unmount();
  }
});

test("without Discord the steps that are left end by themselves", async () => {
  lacking("discord");
  visit("/dashboard", { ...licensed, "GET /api/user/me": ok({ ...ada, hwid_set: true }) });
  await screen.findByText("Online");
  expect(screen.queryByRole("region", { name: "First steps" })).toBeNull();
});

test("where a setting hides the number of users, nothing holds its place", async () => {
  const hidden = visit("/dashboard", { ...asAda, "GET /api/user/dashboard": ok({ user_count: null }) });
  await screen.findByText("Online");
  within(screen.getByRole("region", { name: "User Id" })).getByText(ada.id);
  expect(screen.queryByText("Total Users")).toBeNull();
  hidden.unmount();
  lacking("total-users");
  visit("/dashboard", { ...asAda, "GET /api/user/dashboard": silence });
  await screen.findByText("User Id");
  expect(screen.queryByText("Total Users")).toBeNull();
});
