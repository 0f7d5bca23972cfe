import { describe, expect, test } from "bun:test";
import { onlineManager } from "@tanstack/react-query";
import { act, screen, waitFor, within } from "@testing-library/react";
import { ada, asAda, ok, rateLimited, refused, silence, toastSaying, unreachable, visit } from "./browser";

const dashboard = "GET /api/user/dashboard";
const logs = "GET /api/version/logs";
const card = (name: string) => within(screen.getByRole("region", { name }));

test("a shop that answers is online and shows the number of users", async () => {
  visit("/dashboard", asAda);
  await screen.findByText("Online");
  card("Total Users").getByText("1,234");
  card("User Id").getByText(ada.id);
});

test("an account without an id is shown as 'Unavailable'", async () => {
  visit("/dashboard", { ...asAda, "GET /api/user/me": ok({ ...ada, id: "" }) });
  await screen.findByText("Online");
  card("User Id").getByText("Unavailable");
});

test("skeletons are shown until the answer arrives", async () => {
  visit("/dashboard", { ...asAda, [dashboard]: silence });
  await screen.findByText("Total Users");
  expect(screen.getByRole("region", { name: "Status" }).querySelector("[data-slot=skeleton]")).not.toBeNull();
  expect(screen.queryByText("Online")).toBeNull();
});

test("a rate limit shows an hourglass and the server's sentence as info", async () => {
  visit("/dashboard", { ...asAda, [dashboard]: rateLimited });
  const status = await screen.findByText("Rate limited");
  expect(status.parentElement?.querySelector(".lucide-hourglass")).not.toBeNull();
  const toast = await toastSaying("Too many requests, please try again in 12 seconds");
  expect(toast.dataset.type).toBe("info");
});

for (const [how, answer, sentence] of [
  ["out of reach", unreachable, "An error occurred while attempting to reach the server"],
  ["refusing", refused(403, "Not for you"), "Not for you"],
] as const) {
  test(`a shop ${how} is offline, and an error says why`, async () => {
    visit("/dashboard", { ...asAda, [dashboard]: answer });
    await screen.findByText("Offline");
    const toast = await toastSaying(sentence);
    expect(toast.dataset.type).toBe("error");
  });
}

test("an offline browser says so at once and retries when it is back", async () => {
  onlineManager.setOnline(false);
  const { answers } = visit("/dashboard", { ...asAda, [dashboard]: unreachable });
  await screen.findByText("Offline");
  answers[dashboard] = ok({ user_count: 5 });
  act(() => onlineManager.setOnline(true));
  await screen.findByText("Online");
});

test("the card welcomes only new customers, which can be closed for good", async () => {
  const before = visit("/dashboard", asAda);
  await screen.findByText("Online");
  expect(screen.queryByText("Welcome, ada!")).toBeNull();
  before.unmount();

  sessionStorage.setItem("just_registered", "1");
  const page = visit("/dashboard", asAda);
  await screen.findByText("Welcome, ada!");
  // once, as the third step
  screen.getByRole("link", { name: "Join the Discord" });
  await page.user.click(screen.getByRole("button", { name: "Close welcome" }));
  await waitFor(() => expect(screen.queryByText("Welcome, ada!")).toBeNull());
  page.unmount();

  visit("/dashboard", asAda);
  await screen.findByText("Online");
  expect(screen.queryByText("Welcome, ada!")).toBeNull();
});

describe("the changelog", () => {
  const entry = {
    date: new Date(2026, 4, 31, 16, 5).toISOString(),
    title: "Small repairs",
    content: "Fixed: one thing.\n  Fixed: <b>another</b>.",
  };

  test("shows date, title and content with its line breaks", async () => {
    visit("/dashboard", { ...asAda, [logs]: ok([entry, { ...entry, title: "Older" }]) });
    const panel = await screen.findByRole("region", { name: "Changelog" });
    const [first] = within(panel).getAllByRole("listitem");
    expect(first?.querySelector("time")?.textContent).toBe("May 31, 2026");
    within(panel).getByRole("heading", { name: "Small repairs" });
    const [content] = within(panel).getAllByText(/^Fixed: one thing\./);
    expect(content?.textContent).toBe(entry.content);
    expect(content?.className).toContain("whitespace-pre-wrap");
  });

  test("scrolls in its own panel, which can be focused, but with the page on phones", async () => {
    visit("/dashboard", { ...asAda, [logs]: ok([entry]) });
    const panel = await screen.findByRole("region", { name: "Changelog" });
    expect(panel.tabIndex).toBe(0);
    expect(panel.className).toContain("sm:max-h-[60vh]");
  });

  test("says so when its date is unknown", async () => {
    visit("/dashboard", { ...asAda, [logs]: ok([{ ...entry, date: "soon" }]) });
    await screen.findByText("Unkown");
  });

  test("says that it is empty", async () => {
    visit("/dashboard", asAda);
    await screen.findByText("Nothing has been released yet");
  });

  test("shows skeletons until it arrives", async () => {
    visit("/dashboard", { ...asAda, [logs]: silence });
    await screen.findByRole("status", { name: "Loading the changelog" });
  });

  test("shows an hourglass and the server's sentence as info when rate-limited", async () => {
    visit("/dashboard", { ...asAda, [logs]: rateLimited });
    await screen.findByText("Rate limited");
    const toast = await toastSaying("Too many requests, please try again in 12 seconds");
    expect(toast.dataset.type).toBe("info");
    card("Total Users").getByText("1,234");
  });

  test("is an error when refused, and the shop is offline, whatever else is rate-limited", async () => {
    const { user, answers } = visit("/dashboard", {
      ...asAda,
      [dashboard]: rateLimited,
      [logs]: refused(403, "Not for you"),
    });
    const toast = await toastSaying("Not for you");
    expect(toast.dataset.type).toBe("error");
    await screen.findByText("Offline");
    answers[logs] = ok([entry]);
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByText("Small repairs");
    await screen.findByText("Rate limited");
  });
});

test("an unknown notice shows nothing", async () => {
  visit("/dashboard?notice=you-won", asAda);
  await waitFor(() => expect(location.search).toBe(""));
  expect(document.querySelector("[data-sonner-toast]")).toBeNull();
});
