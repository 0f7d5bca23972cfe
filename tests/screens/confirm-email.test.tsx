import { expect, test } from "bun:test";
import { screen } from "@testing-library/react";
import { refused, visit } from "./browser";

const confirm = "POST /api/user/email/confirm";

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
