import { describe, expect, test } from "bun:test";
import type { SecurityEvent, Session } from "@/contract/wire/security";
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
  silence,
  toastSaying,
  unreachable,
  visit,
  watchDownloads,
} from "./browser";

const me = "GET /api/user/me";
const changeEmail = "POST /api/user/email/reset";
const sessions = "GET /api/user/sessions";
const events = "GET /api/user/security-events";

const here: Session = {
  id: "s1",
  device: "Firefox on Linux",
  address: "203.0.113.7",
  created_at: new Date(2026, 4, 1, 9, 30).toISOString(),
  last_seen_at: new Date(2026, 4, 31, 16, 0).toISOString(),
  current: true,
};
const elsewhere: Session = { ...here, id: "s2", device: "Safari on iPhone", current: false };
const event: SecurityEvent = {
  id: "e1",
  at: new Date(2026, 4, 31, 16, 5).toISOString(),
  code: "password.changed",
  text: "Password changed",
  device: "Firefox on Linux",
};

async function open(answers: Answers = {}, hash = "") {
  const page = visit(`/dashboard/settings${hash}`, {
    ...asAda,
    [sessions]: ok([here]),
    [events]: ok([event]),
    ...answers,
  });
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

describe("the tabs", () => {
  for (const [hash, name, regions] of [
    ["", "General", ["User", "Discord Linking", "Hardware ID"]],
    ["#devices", "General", ["User", "Discord Linking", "Hardware ID"]],
    ["#security", "Security", ["Auth token", "Sessions", "Security log"]],
    ["#appearance", "Appearance", ["Appearance"]],
    ["#data", "Your data", ["Your data", "Delete account"]],
  ] as const) {
    test(`${hash || "without a hash"} shows ${regions.join(", ")}, and nothing of the others`, async () => {
      await open({}, hash);
      expect(screen.getByRole("tab", { selected: true }).textContent).toBe(name);
      const cards = [...document.querySelectorAll("[data-slot=card]")];
      expect(cards.map((card) => card.getAttribute("aria-label"))).toEqual([...regions]);
    });
  }
});

test("an unconfirmed email says so, and its link is sent again", async () => {
  const confirm = "POST /api/user/email/confirm";
  const page = await open({
    [me]: ok({ ...ada, email_confirmed: false }),
    [confirm]: ok({ email: "ada@example.com", confirmed: false }),
  });
  within(screen.getByRole("region", { name: "User" })).getByText("Not confirmed");
  await page.press("Send the link again");
  await toastSaying("Open the link we emailed to ada@example.com, or enter its digits here");
  expect(page.sent(confirm)).toEqual([{}]);
});

test("an account without an email is asked for one at once", async () => {
  await open({ [me]: ok({ ...ada, email: null, email_confirmed: false }) });
  expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("");
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

test("sessions show where and since when, and only the others can be signed out", async () => {
  const page = await open(
    {
      [sessions]: ok([here, elsewhere]),
      "POST /api/user/sessions/end": changing({ [sessions]: ok([here]) }, ok(null)),
    },
    "#security",
  );
  const list = await screen.findByRole("list", { name: "Sessions" });
  const [first, second] = within(list).getAllByRole("listitem");
  expect(first?.textContent).toContain(
    "Firefox on LinuxThis browser203.0.113.7, signed in May 1, 2026 at 9:30 AM",
  );
  expect(second?.textContent).toContain("Last seen May 31, 2026 at 4:00 PM");
  expect(within(first!).getByRole("link", { name: "Sign out" }).getAttribute("href")).toBe("/logout");
  await page.press("Sign out Safari on iPhone");
  await toastSaying("Signed out Safari on iPhone");
  await waitFor(() => expect(within(list).getAllByRole("listitem")).toHaveLength(1));
  expect(page.named("POST /api/user/sessions/end")[0]?.body).toEqual({ id: "s2" });
  expect(screen.queryByRole("button", { name: "Sign out others" })).toBeNull();
});

test("the account's security events are listed", async () => {
  await open({}, "#security");
  const list = await screen.findByRole("list", { name: "Security events" });
  expect(list.textContent).toBe("Password changedMay 31, 2026 at 4:05 PM, Firefox on Linux");
});

test("sessions and events that can't be fetched say so, each with a way to try again", async () => {
  const page = await open({ [sessions]: unreachable, [events]: silence }, "#security");
  const card = await screen.findByRole("region", { name: "Sessions" });
  await within(card).findByText("An error occurred while attempting to reach the server");
  page.answers[sessions] = ok([here]);
  await page.user.click(within(card).getByRole("button", { name: "Try again" }));
  await within(card).findByText("This browser");
  within(screen.getByRole("region", { name: "Security log" })).getByRole("status", { name: "Loading" });
});

test("the others are signed out after one question, which can also reset the auth token", async () => {
  const end = "POST /api/user/sessions/end-others";
  const page = await open(
    { [me]: ok({ ...ada, api_key: "k" }), [sessions]: ok([here, elsewhere]), [end]: ok(null) },
    "#security",
  );
  const signOut = async (resets: boolean) => {
    await page.press("Sign out others");
    const dialog = within(await screen.findByRole("dialog", { name: "Sign out other sessions?" }));
    const box = dialog.getByRole("checkbox", { name: "Also reset the auth token" });
    expect(box.getAttribute("aria-checked")).toBe("false");
    if (resets) await page.user.click(box);
    await page.user.click(dialog.getByRole("button", { name: "Sign out others" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  };
  await signOut(false);
  await toastSaying("Signed out everywhere else");
  await signOut(true);
  await toastSaying("Signed out everywhere else and reset the auth token");
  expect(page.sent(end)).toEqual([{ renew_token: false }, { renew_token: true }]);
});

test("all stored data can be downloaded as a file", async () => {
  const page = await open({ "GET /api/user/export": ok({ account: { username: "ada" } }) }, "#data");
  const saved = watchDownloads();
  await page.press("Download");
  await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(["account-ada.json"]));
  expect(JSON.parse((await saved[0]?.text) ?? "")).toEqual({ account: { username: "ada" } });
});

describe("deleting the account", () => {
  const remove = "POST /api/user/delete";
  const openDialog = async (answers: Answers = {}) => {
    const page = await open(answers, "#data");
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
      /Your subscription ends right away, and the time you've paid for isn't refunded\.$/,
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
