import { describe, expect, test } from "bun:test";
import type { Subscription } from "@/contract/wire/subscriptions";
import { screen, waitFor, within } from "@testing-library/react";
import { type EmailTyped, maySave } from "@/web/parts/account/save-rule";
import {
  ada,
  type Answers,
  asAda,
  changing,
  hasFocus,
  ok,
  refused,
  signedOut,
  toastSaying,
  visit,
  watchDownloads,
} from "./browser";

const me = "GET /api/user/me";
const changeEmail = "POST /api/user/email/reset";

async function open(answers: Answers = {}) {
  const page = visit("/dashboard/settings", { ...asAda, ...answers });
  await screen.findByRole("heading", { name: "Settings" });
  const press = async (name: string) => page.user.click(await screen.findByRole("button", { name }));
  return { ...page, press };
}

describe("Save", () => {
  const right: EmailTyped = { email: "new@example.com", password: "x", security_code: "" };
  for (const [changes, mfa, may] of [
    [{}, false, true],
    [{ password: "" }, false, false],
    [{ email: "ada@example.com" }, false, false],
    [{ email: " ada@example.com " }, false, false],
    [{ email: "ADA@example.com" }, false, true],
    [{ security_code: "123" }, false, true],
    [{}, true, false],
    [{ security_code: "12345" }, true, false],
    [{ security_code: "1234567" }, true, false],
    [{ security_code: "123456" }, true, true],
    [{ security_code: "123456", password: "" }, true, false],
    [{ security_code: "123456", email: "ada@example.com" }, true, false],
  ] as const) {
    test(`is ${may ? "enabled" : "disabled"} with ${JSON.stringify(changes)}${mfa ? " and two-factor" : ""}`, () => {
      expect(maySave({ email: "ada@example.com", mfa }, { ...right, ...changes })).toBe(may);
    });
  }

  test("follows what is typed, and sends it", async () => {
    const page = await open({
      [me]: ok({ ...ada, mfa: true }),
      [changeEmail]: changing(
        { [me]: ok({ ...ada, mfa: true, email: "new@example.com" }) },
        ok("Updated user email to new@example.com"),
      ),
    });
    await page.press("Edit");
    const save = screen.getByRole<HTMLButtonElement>("button", { name: "Save" });
    const email = screen.getByLabelText("Email");
    expect(save.disabled).toBe(true);
    await page.user.clear(email);
    await page.user.type(email, "new@example.com");
    await page.user.type(screen.getByLabelText("Password"), "ada-likes-engines");
    expect(save.disabled).toBe(true);
    await page.user.click(screen.getByLabelText("Digit 1 of 6"));
    await page.user.keyboard("12345");
    expect(save.disabled).toBe(true);
    await page.user.keyboard("6");
    expect(save.disabled).toBe(false);
    await page.user.click(save);
    await toastSaying("Updated user email to new@example.com");
    expect(page.named(changeEmail)[0]?.body).toEqual({
      email: "new@example.com",
      password: "ada-likes-engines",
      security_code: "123456",
    });
    await screen.findByRole("button", { name: "Edit" });
    within(screen.getByRole("region", { name: "User" })).getByText("new@example.com");
  });

  test("can't be bypassed with Enter", async () => {
    const page = await open();
    await page.press("Edit");
    await page.user.type(screen.getByLabelText("Password"), "ada-likes-engines{Enter}");
    expect(page.named(changeEmail)).toEqual([]);
  });
});

test("Cancel discards what was typed", async () => {
  const page = await open();
  await page.press("Edit");
  await page.user.type(screen.getByLabelText("Email"), "x");
  await page.press("Cancel");
  expect(screen.queryByLabelText("Email")).toBeNull();
  await page.press("Edit");
  expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("ada@example.com");
  expect(screen.getByLabelText<HTMLInputElement>("Username").readOnly).toBe(true);
});

test("the password is changed in a dialog, which returns the focus", async () => {
  const page = await open({ "POST /api/user/password/reset": ok("Reset account password successfully") });
  await page.press("Change Password");
  const dialog = await screen.findByRole("dialog", { name: "Change your password" });
  expect(hasFocus(screen.getByLabelText("Old Password"))).toBe(true);
  await page.user.type(screen.getByLabelText("Old Password"), "ada-likes-engines");
  await page.user.type(screen.getByLabelText("New Password"), "a new long phrase");
  await page.user.type(screen.getByLabelText("Repeat Password"), "a new long phrase");
  await page.user.click(within(dialog).getByRole("button", { name: "Change Password" }));
  await toastSaying("Reset account password successfully");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const button = screen.getByRole("button", { name: "Change Password" });
  await waitFor(() => expect(hasFocus(button)).toBe(true));
});

test("the hardware section is fetched again with Refresh, and counts down the days left", async () => {
  const page = await open();
  const section = screen.getByRole("region", { name: "Hardware ID" });
  within(section).getByText("Unattatched");
  page.answers[me] = ok({
    ...ada,
    hwid_set: true,
    last_reset: new Date(Date.now() - 90_000_000).toISOString(),
  });
  await page.press("Refresh");
  await within(section).findByText("Attatched");
  const reset = within(section).getByRole<HTMLButtonElement>("button", { name: "Reset in 29 days" });
  expect(reset.disabled).toBe(true);
});

test("all stored data can be downloaded as a file", async () => {
  const page = await open({ "GET /api/user/export": ok({ account: { username: "ada" } }) });
  const saved = watchDownloads();
  await page.press("Download");
  await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(["account-ada.json"]));
  expect(JSON.parse((await saved[0]?.text) ?? "")).toEqual({ account: { username: "ada" } });
});

describe("deleting the account", () => {
  const remove = "POST /api/user/delete";
  const openDialog = async (answers: Answers = {}) => {
    const page = await open(answers);
    await page.press("Delete account");
    await screen.findByRole("dialog", { name: "Delete the account ada?" });
    return page;
  };

  test("needs the password", async () => {
    const page = await openDialog();
    expect(hasFocus(screen.getByLabelText("Password"))).toBe(true);
    await page.press("Delete my account");
    expect(screen.getByLabelText("Password").getAttribute("aria-invalid")).toBe("true");
    expect(page.named(remove)).toEqual([]);
  });

  test("says that a running subscription ends", async () => {
    const running: Subscription = {
      id: "order_1",
      offer: "month",
      status: "active",
      renews_at: new Date().toISOString(),
      ends_at: null,
      changes_at: null,
      changes_to: null,
      amount: 300,
      currency: "usd",
      interval: "month",
      card: null,
      license_key: null,
    };
    await openDialog({ "GET /api/subscriptions": ok([running], { next: null }) });
    await screen.findByText(
      /Your subscription ends at once, and the time that you paid for isn't refunded\.$/,
    );
  });

  test("a wrong password is reported, and nothing is deleted", async () => {
    const sentence = "That is not your password";
    const page = await openDialog({
      [remove]: refused(401, sentence, { code: "password_wrong", field: "password" }),
    });
    await page.user.type(screen.getByLabelText("Password"), "wrong");
    await page.press("Delete my account");
    await screen.findByText(sentence);
    expect(document.querySelector("[data-sonner-toast]")).toBeNull();
    screen.getByRole("dialog");
  });

  test("leads to the front page, signed out", async () => {
    const page = await openDialog({
      [me]: ok({ ...ada, mfa: true }),
      [remove]: changing({ [me]: signedOut }, ok(null)),
      "POST /api/auth/logout": ok(null),
    });
    await page.user.type(screen.getByLabelText("Password"), "ada-likes-engines");
    await page.user.click(screen.getByLabelText("Digit 1 of 6"));
    await page.user.keyboard("123456");
    await page.press("Delete my account");
    await toastSaying("Your account has been deleted");
    await waitFor(() => expect(location.pathname).toBe("/"));
    expect(page.named(remove)[0]?.body).toEqual({ password: "ada-likes-engines", security_code: "123456" });
  });
});
