import { expect, test } from "bun:test";
import { screen, waitFor } from "@testing-library/react";
import { ok, refused, visit } from "./browser";

const confirm = "POST /api/user/email/confirm";

test("the email's link asks for confirmation, and its token is removed from the URL at once", async () => {
  const page = visit("/confirm-email#id.the-token", { [confirm]: ok({ email: "ada@example.com" }) });
  await screen.findByRole("heading", { name: "Use this email address?" });
  await waitFor(() => expect(location.hash).toBe(""));
  expect(page.named(confirm)).toEqual([]);
  await page.user.click(screen.getByRole("button", { name: "Confirm this address" }));
  await screen.findByRole("heading", { name: "The address is confirmed" });
  screen.getByText("ada@example.com");
  expect(page.named(confirm)[0]?.body).toEqual({ token: "id.the-token" });
});

test("a used or expired link says so, and a truncated one offers no button", async () => {
  const sentence = "That link has been used or has expired";
  const page = visit("/confirm-email#old", {
    [confirm]: refused(400, sentence, { code: "confirmation_invalid" }),
  });
  await page.user.click(await screen.findByRole("button", { name: "Confirm this address" }));
  expect((await screen.findByRole("alert")).textContent).toBe(sentence);
  page.unmount();
  visit("/confirm-email");
  expect((await screen.findByRole("alert")).textContent).toContain("incomplete");
  expect(screen.queryByRole("button", { name: "Confirm this address" })).toBeNull();
});
