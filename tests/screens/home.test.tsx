import { expect, test } from "bun:test";
import { onlineManager } from "@tanstack/react-query";
import { act, screen, waitFor, within } from "@testing-library/react";
import { ada, asAda, ok, rateLimited, refused, silence, toastSaying, unreachable, visit } from "./browser";

const dashboard = "GET /api/user/dashboard";
const card = (name: string) => within(screen.getByRole("region", { name }));

test("a shop that answers is online, with its users counted", async () => {
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

test("skeletons stand until the answer comes", async () => {
  visit("/dashboard", { ...asAda, [dashboard]: silence });
  await screen.findByText("Total Users");
  expect(screen.getByRole("region", { name: "Status" }).querySelector("[data-slot=skeleton]")).not.toBeNull();
  expect(screen.queryByText("Online")).toBeNull();
});

test("too many questions turn the status to an hourglass, and the server's sentence is news", async () => {
  visit("/dashboard", { ...asAda, [dashboard]: rateLimited });
  const status = await screen.findByText("Rate limited");
  expect(status.querySelector(".lucide-hourglass")).not.toBeNull();
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

test("a browser that is offline says so at once, and asks again when it is back", async () => {
  onlineManager.setOnline(false);
  const { answers } = visit("/dashboard", { ...asAda, [dashboard]: unreachable });
  await screen.findByText("Offline");
  answers[dashboard] = ok({ user_count: 5 });
  act(() => onlineManager.setOnline(true));
  await screen.findByText("Online");
});

test("the welcome card greets only who has just registered, and can be closed for good", async () => {
  const before = visit("/dashboard", asAda);
  await screen.findByText("Online");
  expect(screen.queryByText("Welcome, ada!")).toBeNull();
  before.unmount();

  sessionStorage.setItem("just_registered", "1");
  const page = visit("/dashboard", asAda);
  await screen.findByText("Welcome, ada!");
  screen.getByRole("link", { name: "Join the Discord" });
  await page.user.click(screen.getByRole("button", { name: "Close welcome" }));
  await waitFor(() => expect(screen.queryByText("Welcome, ada!")).toBeNull());
  page.unmount();

  visit("/dashboard", asAda);
  await screen.findByText("Online");
  expect(screen.queryByText("Welcome, ada!")).toBeNull();
});
