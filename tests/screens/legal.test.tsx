import { expect, test } from "bun:test";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { asAda, visit } from "./browser";

const dialogs = [
  ["/tos", "Terms of Service"],
  ["/terms-of-service", "Terms of Service"],
  ["/privacy-policy", "Privacy Policy"],
  ["/refund-policy", "Refunds Policy"],
] as const;

for (const [path, title] of dialogs) {
  test(`${path} opens '${title}' over the landing page, under its own title`, async () => {
    visit(path);
    const dialog = await screen.findByRole("dialog", { name: title });
    expect(dialog.hasAttribute("open")).toBe(true);
    expect(document.title).toStartWith(title);
    expect(screen.getByRole("heading", { level: 1, hidden: true }).textContent).toContain("Selfbot");
  });
}

test("a click inside the dialog doesn't close it", async () => {
  visit("/tos");
  fireEvent.click(await screen.findByText("1. Agreement"));
  await act(async () => {});
  expect(location.pathname).toBe("/tos");
});

test("opened from a page, it closes back to the same place on the same page", async () => {
  visit("/#gallery");
  const heading = await screen.findByRole("heading", { level: 1 });
  const footer = within(screen.getByRole("navigation", { name: "Footer" }));
  fireEvent.click(footer.getByRole("link", { name: "Privacy Policy" }));
  await screen.findByRole("dialog", { name: "Privacy Policy" });
  fireEvent.click(screen.getByRole("button", { name: "Confirm" }));
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Privacy Policy" })).toBeNull());
  expect([location.pathname, location.hash]).toEqual(["/", "#gallery"]);
  expect(screen.getByRole("heading", { level: 1 })).toBe(heading);
});

test("the privacy text lists all personal data that is stored", async () => {
  visit("/privacy-policy");
  const { textContent } = await screen.findByRole("dialog", { name: "Privacy Policy" });
  for (const thing of [
    "email address",
    "username",
    "time zone",
    "password",
    "two-factor authentication, its secret",
    "hardware ID",
    "that computer's name and system",
    "version of the application",
    "chat-platform account ID and the name shown there",
    "tokens that Discord gives us",
    "your sessions with its network address, its browser",
    "log of what happened to your account",
    "network address and browser it was begun with",
    "540 days",
    "a copy of what is written in it",
    "files that are sent",
    "180 days",
  ])
    expect(textContent).toContain(thing);
});

test("the terms promise no mail that the shop does not send", async () => {
  visit("/tos");
  const { textContent } = await screen.findByRole("dialog", { name: "Terms of Service" });
  expect(textContent).toContain("The date at the top says when they last changed");
  expect(textContent).not.toMatch(/by email|two weeks/);
});

const terms = ["Terms of Service", "/tos"];
const privacy = ["Privacy Policy", "/privacy-policy"];
const refunds = ["Refunds Policy", "/refund-policy"];
const legalLinks = [terms, privacy, refunds];
const linksIn = (element: HTMLElement) =>
  within(element)
    .getAllByRole("link")
    .map((link) => [link.textContent.replace(" (opens in a new tab)", ""), link.getAttribute("href")]);

for (const path of [
  "/login",
  "/register",
  "/forgot-pass",
  "/confirm-email",
  "/invitation",
  "/find-order",
  "/success",
  "/no-such-page",
]) {
  test(`${path} links to all legal texts, below one header`, async () => {
    visit(path);
    expect(linksIn(await screen.findByRole("navigation", { name: "Legal" }))).toEqual(legalLinks);
    expect(screen.getAllByRole("banner")).toHaveLength(1);
  });
}

test("every page of the dashboard links to all legal texts", async () => {
  visit("/dashboard", asAda);
  expect(linksIn(await screen.findByRole("navigation", { name: "Legal" }))).toEqual(legalLinks);
});

test("the terms are linked next to the purchase button", async () => {
  visit("/");
  const button = await screen.findByRole("button", { name: "Purchase Premium" });
  const card = button.closest("li");
  if (!card) throw new Error("the button stands in no card");
  const agreed = within(card).getByText(/^By purchasing you agree to/);
  expect(linksIn(agreed)).toEqual([terms, refunds, privacy]);
});

test("opening a text from a form keeps what was typed", async () => {
  visit("/register");
  for (const link of within(await screen.findByRole("navigation", { name: "Legal" })).getAllByRole("link"))
    expect(link.getAttribute("target")).toBe("_blank");
});

test("the refunds text states the one exception", async () => {
  visit("/refund-policy");
  const { textContent } = await screen.findByRole("dialog", { name: "Refunds Policy" });
  expect(textContent).toContain("fatal error");
  expect(textContent).toContain("unresolved after we investigated");
});
