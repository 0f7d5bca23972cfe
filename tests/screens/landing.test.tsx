import { expect, spyOn, test } from "bun:test";
import { render, screen, waitFor, within } from "@testing-library/react";
import { ErrorBoundary } from "@/web/parts/error-boundary";
import { toastSaying, visit } from "./browser";

test("the page has its five sections in order, and answers questions below them", async () => {
  visit("/");
  await screen.findByRole("heading", { name: "Get Wisp" });
  const headings = screen.getAllByRole("heading").filter(({ tagName }) => tagName < "H3");
  expect(headings.map(({ textContent }) => textContent)).toEqual([
    "Premium Selfbot, Affordable Pricetag",
    "Features",
    "Why Us",
    "Gallery",
    "Get Wisp",
    "Questions",
  ]);
  expect(screen.getByRole("link", { name: "Get Started" }).getAttribute("href")).toBe("#get");
});

test("it lists the features and the six reasons", async () => {
  visit("/");
  for (const name of [
    "Total Control",
    "Competitive Features",
    "Engaging GUI",
    "Dashboard",
    "Customization",
    "Security",
    "Notifications",
    "Custom Commands",
  ])
    await screen.findByRole("heading", { level: 3, name });
});

const cards = {
  "Free Selfbot": ["Windows", "120 commands", "Limited customization"],
  Premium: [
    "$5",
    "Lifetime",
    "Windows, Mac, Linux",
    "250+ commands",
    "Integrated UI",
    "Backups",
    "Raid manager",
    "Token and session guard",
    "Realistic AFK messaging",
    "Selfbot sharing",
    "Music player",
    "Custom events and commands",
  ],
  "Rich Presence": ["Windows", "Needs an application ID", "Auto start", "Minimize to tray"],
};

for (const [name, facts] of Object.entries(cards)) {
  test(`the card of '${name}' states its facts`, async () => {
    visit("/");
    const card = (await screen.findByRole("heading", { level: 3, name })).closest("li");
    if (!card) throw new Error("no card");
    for (const fact of facts) within(card).getByText(fact);
  });
}

test("the free products are plain links", async () => {
  visit("/");
  const free = await screen.findByRole("link", { name: "Download Free Selfbot" });
  expect(free.getAttribute("href")).toBe("/api/download/free");
  const presence = screen.getByRole("link", { name: "Download Rich Presence" });
  expect(presence.getAttribute("href")).toBe("/api/download/rpc");
});

test("the footer has the short name, a heart and the copyright line of 2025", async () => {
  visit("/");
  const foot = screen.getByRole("contentinfo");
  expect(foot.textContent).toContain("Copyright © 2025 Wisp");
  expect(foot.querySelector(".lucide-heart")).not.toBeNull();
});

test("on a phone the link can be shared", async () => {
  const shared: ShareData[] = [];
  Object.assign(navigator, { share: async (data: ShareData) => void shared.push(data) });
  const { user } = visit("/");
  await screen.findByText("Revisit on a computer to download or purchase!");
  await user.click(screen.getByRole("button", { name: "Send yourself the link" }));
  await waitFor(() => expect(shared.map(({ url }) => url)).toEqual([`${location.origin}/#get`]));
  Reflect.deleteProperty(navigator, "share");
});

test("when sharing isn't supported, the link is copied, and a toast says so", async () => {
  const { user } = visit("/");
  const write = spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await user.click(await screen.findByRole("button", { name: "Send yourself the link" }));
  await toastSaying("Link copied");
  expect(write).toHaveBeenCalledWith(`${location.origin}/#get`);
  // A page can't go to a mail program here.
  document.addEventListener("click", (event) => event.preventDefault(), { once: true });
  const mail = screen.getByRole("link", { name: "By email" });
  await user.click(mail);
  expect(mail.getAttribute("href")).toContain(encodeURIComponent(`${location.origin}/#get`));
});

test("an unknown path says so and links home", async () => {
  visit("/nowhere");
  await screen.findByRole("heading", { name: "Page does not exist" });
  expect(screen.getByRole("link", { name: "Go Home" }).getAttribute("href")).toBe("/");
});

test("a screen that crashes leaves the rest alone, and navigating recovers", () => {
  const complaint = spyOn(console, "error").mockImplementation(() => {});
  const Broken = () => {
    throw new Error("broken");
  };
  const page = render(
    <ErrorBoundary fallback={<p>It broke</p>} resetKey="/a">
      <Broken />
    </ErrorBoundary>,
  );
  page.getByText("It broke");
  expect(complaint).toHaveBeenCalled();
  page.rerender(
    <ErrorBoundary fallback={<p>It broke</p>} resetKey="/b">
      <p>It works</p>
    </ErrorBoundary>,
  );
  page.getByText("It works");
});
