import { expect, test } from "bun:test";
import { screen, waitFor } from "@testing-library/react";
import { asAda, ok, refused, visit } from "./browser";

const undo = "POST /api/user/email/undo";

test("the email's link asks for confirmation, and its token is removed from the URL", async () => {
  const page = visit("/undo-email#id.the-token", { [undo]: ok({ email: "ada@example.com" }) });
  await screen.findByRole("heading", { name: "Undo the email change?" });
  await waitFor(() => expect(location.hash).toBe(""));
  expect(page.named(undo)).toEqual([]);
  await page.user.click(screen.getByRole("button", { name: "Undo the change" }));
  await screen.findByRole("heading", { name: "The change is undone" });
  screen.getByText("ada@example.com");
  expect(page.named(undo)[0]?.body).toEqual({ token: "id.the-token" });
  expect(screen.getByRole("link", { name: "Choose a new password" }).getAttribute("href")).toBe(
    "/forgot-pass",
  );
});

test("a reload still knows the token", async () => {
  const page = visit("/undo-email#id.the-token");
  await waitFor(() => expect(location.hash).toBe(""));
  page.unmount();
  visit(null);
  await screen.findByRole("button", { name: "Undo the change" });
});

test("anyone who was signed in is signed out", async () => {
  const page = visit("/undo-email#id.the-token", { ...asAda, [undo]: ok({ email: "ada@example.com" }) });
  await page.user.click(await screen.findByRole("button", { name: "Undo the change" }));
  await page.user.click(await screen.findByRole("link", { name: "Login" }));
  await screen.findByRole("button", { name: "Login" });
  expect(location.pathname).toBe("/login");
});

test("a used or expired link says so", async () => {
  const sentence = "That link has been used or has expired";
  const page = visit("/undo-email#old", { [undo]: refused(400, sentence, { code: "undo_invalid" }) });
  await page.user.click(await screen.findByRole("button", { name: "Undo the change" }));
  expect((await screen.findByRole("alert")).textContent).toBe(sentence);
});

test("a truncated link offers no button", async () => {
  visit("/undo-email");
  expect((await screen.findByRole("alert")).textContent).toContain("incomplete");
  expect(screen.queryByRole("button", { name: "Undo the change" })).toBeNull();
});

test("an undo leads on to the code that it mailed, in the same browser", async () => {
  const verify = "POST /api/user/password/forgot";
  const page = visit("/undo-email#id.the-token", {
    [undo]: ok({ email: "ada@example.com" }),
    [verify]: ok("Email verified, now choose a new password"),
  });
  await page.user.click(await screen.findByRole("button", { name: "Undo the change" }));
  await page.user.click(await screen.findByRole("link", { name: "Choose a new password" }));
  await screen.findByRole("group", { name: "Code from the email" });
  screen.getByText("ada@example.com");
  await page.user.keyboard("123456");
  await screen.findByLabelText("New Password");
  expect(page.named(verify)[0]?.body).toEqual({ email: "ada@example.com", code: "123456" });
  expect(page.named("GET /api/user/password/forgot")).toEqual([]);
});
