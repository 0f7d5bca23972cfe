import { expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { hasFocus, ok, refused, toastSaying, visit } from "./browser";

const send = "GET /api/user/password/forgot";
const verify = "POST /api/user/password/forgot";
const reset = "POST /api/user/password/forgot-reset";
const silent = { data: "" };

const answers = {
  [send]: ok("Sent email containing verification code (check spam folder)"),
  [verify]: ok("Email verified, now choose a new password"),
  [reset]: ok("Password successfully reset, you may now login"),
};

async function toCode(page: ReturnType<typeof visit>) {
  await page.user.type(await screen.findByLabelText("Email"), "ada@example.com");
  await page.user.click(screen.getByRole("button", { name: "Send Email" }));
  return screen.findByRole("group", { name: "Code from the email" });
}

async function toPassword(page: ReturnType<typeof visit>) {
  await toCode(page);
  await page.user.keyboard("123456");
  return screen.findByLabelText("New Password");
}

test("an empty address is highlighted without a message, and nothing is sent", async () => {
  const { user, named } = visit("/forgot-pass", answers);
  await user.click(await screen.findByRole("button", { name: "Send Email" }));
  expect(screen.getByLabelText("Email").getAttribute("aria-invalid")).toBe("true");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(named(send)).toEqual([]);
});

test("each step goes back to the one before", async () => {
  const page = visit("/forgot-pass", answers);
  await toPassword(page);
  await page.user.click(screen.getByRole("button", { name: "GO BACK" }));
  await screen.findByRole("group", { name: "Code from the email" });
  await page.user.click(screen.getByRole("button", { name: "GO BACK" }));
  expect((await screen.findByLabelText<HTMLInputElement>("Email")).value).toBe("ada@example.com");
  expect(screen.getByRole("link", { name: "GO BACK" }).getAttribute("href")).toBe("/login");
});

test("each step takes the focus along", async () => {
  const page = visit("/forgot-pass", answers);
  await toPassword(page);
  const isHeaded = async (name: string) => {
    const title = await screen.findByRole("heading", { name });
    await waitFor(() => expect(hasFocus(title)).toBe(true));
  };
  await isHeaded("Choose a new password");
  await page.user.click(screen.getByRole("button", { name: "GO BACK" }));
  await waitFor(() => expect(hasFocus(screen.getByLabelText("Digit 1 of 6"))).toBe(true));
  await page.user.click(screen.getByRole("button", { name: "GO BACK" }));
  await isHeaded("Forgot your password?");
});

test("an empty code and an empty password are highlighted, and nothing is sent", async () => {
  const page = visit("/forgot-pass", answers);
  await toCode(page);
  await page.user.click(screen.getByRole("button", { name: "Confirm" }));
  expect(page.named(verify)).toEqual([]);
  await page.user.click(screen.getByLabelText("Digit 1 of 6"));
  await page.user.keyboard("123456");
  await page.user.click(await screen.findByRole("button", { name: "Reset" }));
  expect(screen.getByLabelText("New Password").getAttribute("aria-invalid")).toBe("true");
  expect(page.named(reset)).toEqual([]);
});

test("a refused code says so, at its boxes too, and clears them", async () => {
  const sentence = "An invalid verification code was provided";
  const page = visit("/forgot-pass", { ...answers, [verify]: refused(400, sentence) });
  await toCode(page);
  await page.user.keyboard("123456");
  await toastSaying(sentence);
  const form = within(screen.getByRole("form", { name: "Confirm" }));
  form.getByText(sentence);
  await waitFor(() => {
    const boxes = screen.getAllByRole<HTMLInputElement>("textbox");
    expect(boxes.map((box) => box.value).join("")).toBe("");
  });
  await page.user.keyboard("1");
  expect(form.queryAllByText(sentence).length).toBe(0);
});

test("if the server sends no sentence, the shop has its own", async () => {
  const page = visit("/forgot-pass", { ...answers, [send]: refused(500, "", silent) });
  await page.user.type(await screen.findByLabelText("Email"), "ada@example.com");
  await page.user.click(screen.getByRole("button", { name: "Send Email" }));
  await toastSaying("Failed to send password reset email");
  page.answers[send] = answers[send];
  page.answers[verify] = refused(500, "", silent);
  page.answers[reset] = refused(500, "", silent);
  await page.user.click(screen.getByRole("button", { name: "Send Email" }));
  await screen.findByRole("group", { name: "Code from the email" });
  await page.user.keyboard("123456");
  await toastSaying("An invalid verification code was provided");
  page.answers[verify] = answers[verify];
  await page.user.click(screen.getByLabelText("Digit 1 of 6"));
  await page.user.keyboard("123456");
  await page.user.type(await screen.findByLabelText("New Password"), "a new long phrase");
  await page.user.click(screen.getByRole("button", { name: "Reset" }));
  await toastSaying("Failed to reset password");
});

test("after a recovery, the name is filled in, and the password is what is typed next", async () => {
  const page = visit("/forgot-pass", answers);
  await page.user.type(await toPassword(page), "a new long phrase");
  await page.user.click(screen.getByRole("button", { name: "Reset" }));
  const username = await screen.findByLabelText<HTMLInputElement>("Username");
  expect(username.value).toBe("ada@example.com");
  expect(hasFocus(screen.getByLabelText("Password"))).toBe(true);
});

test("another mail can be requested after a minute, with a countdown", async () => {
  const page = visit("/forgot-pass", answers);
  await toCode(page);
  expect(screen.getByRole("timer").textContent).toMatch(/^Send again in \d+ seconds$/);
  expect(screen.queryByRole("button", { name: "Send again" })).toBeNull();
});

test("the mailed link takes a press, then a new password, and no code", async () => {
  const page = visit("/forgot-pass#id.the-token", answers);
  expect(page.named(verify)).toEqual([]);
  await page.user.click(await screen.findByRole("button", { name: "Continue" }));
  await page.user.type(await screen.findByLabelText("New Password"), "a new long phrase");
  await page.user.click(screen.getByRole("button", { name: "Reset" }));
  await toastSaying("Password successfully reset, you may now login");
  await waitFor(() => expect(location.pathname).toBe("/login"));
  expect(page.named(verify)[0]?.body).toEqual({ token: "id.the-token" });
  expect(page.named(reset)[0]?.body).toEqual({ token: "id.the-token", password: "a new long phrase" });
});
