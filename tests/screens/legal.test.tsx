import { expect, test } from "bun:test";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { visit } from "./browser";

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

const ways = {
  "the close icon": () => fireEvent.click(screen.getByRole("button", { name: "Close" })),
  Confirm: () => fireEvent.click(screen.getByRole("button", { name: "Confirm" })),
  Escape: () => act(() => screen.getByRole<HTMLDialogElement>("dialog").close()),
  "a click beside it": () => fireEvent.click(screen.getByRole("dialog")),
};

for (const [name, close] of Object.entries(ways)) {
  test(`${name} closes the dialog and leads to the landing page`, async () => {
    visit("/refund-policy");
    await screen.findByRole("dialog", { name: "Refunds Policy" });
    close();
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Refunds Policy" })).toBeNull());
    expect(location.pathname).toBe("/");
  });
}

test("a click inside the dialog doesn't close it", async () => {
  visit("/tos");
  fireEvent.click(await screen.findByText("1. Agreement"));
  await act(async () => {});
  expect(location.pathname).toBe("/tos");
});

test("opened from the page, it closes back to where one was, and the page stays the same one", async () => {
  visit("/#gallery");
  const heading = await screen.findByRole("heading", { level: 1 });
  fireEvent.click(screen.getByRole("link", { name: "Privacy Policy" }));
  await screen.findByRole("dialog", { name: "Privacy Policy" });
  fireEvent.click(screen.getByRole("button", { name: "Confirm" }));
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Privacy Policy" })).toBeNull());
  expect([location.pathname, location.hash]).toEqual(["/", "#gallery"]);
  expect(screen.getByRole("heading", { level: 1 })).toBe(heading);
});

test("the privacy text names the five things that are stored", async () => {
  visit("/privacy-policy");
  const { textContent } = await screen.findByRole("dialog", { name: "Privacy Policy" });
  for (const thing of ["email address", "username", "password", "hardware ID", "chat-platform account ID"])
    expect(textContent).toContain(thing);
});

test("the refunds text tells the one exception", async () => {
  visit("/refund-policy");
  const { textContent } = await screen.findByRole("dialog", { name: "Refunds Policy" });
  expect(textContent).toContain("fatal error");
  expect(textContent).toContain("unresolved after we investigated");
});
