import { expect, spyOn, test } from "bun:test";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { ada, type Answers, asAda, ok, silence, visit } from "./browser";

/** The landing page with all lazy parts. */
async function open(answers: Answers = {}) {
  const page = visit("/", answers);
  await screen.findByRole("heading", { name: "Get Wisp" });
  return page;
}

const bar = () => screen.getByRole("banner");
test("the bar names the sections, the community and the way in", async () => {
  await open();
  const links = within(within(bar()).getByRole("navigation", { name: "Main" })).getAllByRole("link");
  const named = links.map((link) => [link.textContent, link.getAttribute("href")]);
  expect(named).toEqual([
    ["Wisp", "/"],
    ["Features", "/#features"],
    ["Why Us", "/#why-us"],
    ["Gallery", "/#gallery"],
    ["Get Wisp", "/#get"],
    ["Discord", "/discord"],
    ["Login", "/login"],
  ]);
});

test("neither Login nor Dashboard is shown before it is known which applies", async () => {
  await open({ "GET /api/user/me": silence });
  expect(within(bar()).getByText("Login").dataset.known).toBe("false");
});

test("a signed-in visitor sees the dashboard's link", async () => {
  await open(asAda);
  const link = await within(bar()).findByRole("link", { name: "Dashboard" });
  expect([link.getAttribute("href"), link.dataset.known]).toEqual(["/dashboard", "true"]);
});

test("a visitor who signed in elsewhere and returns after a minute sees the dashboard's link", async () => {
  const { answers, named } = await open();
  await within(bar()).findByRole("link", { name: "Login" });
  await waitFor(() => expect(bar().querySelector<HTMLElement>(".account-link")?.dataset.known).toBe("true"));
  answers["GET /api/user/me"] = ok(ada);
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  const now = Date.now();
  spyOn(Date, "now").mockImplementation(() => now + 61_000);
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  await within(bar()).findByRole("link", { name: "Dashboard" });
  expect(named("GET /api/user/me")).toHaveLength(2);
});

for (const path of ["/login", "/register"]) {
  test(`there is no bar on ${path}`, async () => {
    visit(path);
    await screen.findByRole("main");
    expect(screen.queryByRole("navigation", { name: "Main" })).toBeNull();
  });
}

test("on a narrow screen the links are in a sheet that closes when one is followed", async () => {
  await open();
  const sheet = document.querySelector<HTMLDialogElement>(".navigation-sheet");
  if (!sheet) throw new Error("no sheet");
  expect(sheet.open).toBe(false);
  fireEvent.click(screen.getByRole("button", { name: "Menu" }));
  expect(sheet.open).toBe(true);
  fireEvent.click(within(sheet).getByRole("link", { name: "Gallery" }));
  await waitFor(() => expect(location.hash).toBe("#gallery"));
  expect(sheet.open).toBe(false);
  fireEvent.click(screen.getByRole("button", { name: "Menu" }));
  fireEvent.click(within(sheet).getByRole("button", { name: "Close menu" }));
  expect(sheet.open).toBe(false);
});
