import { describe, expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { ada, type Answers, asAda, hasFocus, ok, premium, refused, visit } from "./browser";

const wrongIn = (element: HTMLElement) => element.getAttribute("aria-invalid") === "true";
const formNamed = async (name: string) => within(await screen.findByRole("form", { name }));
type Form = Awaited<ReturnType<typeof formNamed>>;
const field = (form: Form, label: string) =>
  form.getByLabelText<HTMLInputElement>(label, { selector: "input, textarea" });
const at = (status: number, sentence: string, name: string) =>
  refused(status, sentence, { code: "invalid_field", field: name });

type Case = {
  path: string;
  answers: Answers;
  form: string;
  /** What is typed before it is sent. */
  typed: Record<string, string>;
  button: string;
  /** The field that the server refuses. */
  blamed: string;
  /** Shown at the field or in its form. */
  sentence?: string;
  before?: (user: ReturnType<typeof visit>["user"]) => Promise<void>;
};

const edit = async (user: ReturnType<typeof visit>["user"]) =>
  user.click(await screen.findByRole("button", { name: "Edit" }));
const changePassword = async (user: ReturnType<typeof visit>["user"]) =>
  user.click(await screen.findByRole("button", { name: "Change Password" }));
const settings: Answers = { ...asAda, "GET /api/discord/me": ok(null), "GET /api/user/device": ok(null) };

const cases: Record<string, Case> = {
  register: {
    path: "/register",
    answers: { "POST /api/auth/register": at(409, "That username is taken", "username") },
    form: "Register",
    typed: {
      Username: "ada",
      Email: "a@example.com",
      Password: "long enough words",
      "License key": "WISP-1",
    },
    button: "Register",
    blamed: "Username",
    sentence: "That username is taken",
  },
  redeem: {
    path: "/dashboard/license",
    answers: {
      ...asAda,
      "GET /api/licenses/me": ok([]),
      "POST /api/licenses/redeem": at(400, "No such key", "key"),
    },
    form: "Redeem",
    typed: { "Redeem a license key": "WISP-1" },
    button: "Redeem",
    blamed: "Redeem a license key",
    sentence: "No such key",
  },
  "forgot password": {
    path: "/forgot-pass",
    answers: { "GET /api/user/password/forgot": at(400, "email must be an email address", "email") },
    form: "Send Email",
    typed: { Email: "ada" },
    button: "Send Email",
    blamed: "Email",
    sentence: "email must be an email address",
  },
  "find my order": {
    path: "/find-order",
    answers: { "POST /api/payments/find": at(400, "email must be an email address", "email") },
    form: "Find your order",
    typed: { Email: "ada" },
    button: "Send Email",
    blamed: "Email",
    sentence: "email must be an email address",
  },
  "a new email address": {
    path: "/dashboard/settings",
    answers: { ...settings, "POST /api/user/email/reset": at(409, "That email is taken", "email") },
    before: edit,
    form: "Change email",
    typed: { Email: "x@example.com", Password: "words" },
    button: "Save",
    blamed: "Email",
    sentence: "That email is taken",
  },
  "a new password": {
    path: "/dashboard/settings",
    answers: {
      ...settings,
      "POST /api/user/password/reset": at(401, "That is not your password", "old_password"),
    },
    before: changePassword,
    form: "Change password",
    typed: { "Old Password": "a", "New Password": "long enough", "Repeat Password": "long enough" },
    button: "Change Password",
    blamed: "Old Password",
    sentence: "That is not your password",
  },
  "a gift": {
    path: "/?gift",
    answers: {
      "GET /api/offers": ok([premium]),
      "GET /api/functions/get-stripe-key": () => Response.json({ key: "pk_test_1" }),
      "POST /api/stripe/create-checkout-session": at(400, "No links, please", "gift.message"),
    },
    form: "Order",
    typed: { "Their email": "bob@example.com", Message: "see evil.example" },
    button: "Continue to checkout",
    blamed: "Message",
    sentence: "No links, please",
  },
};

for (const [what, { path, answers, before, form: name, typed, button, blamed, sentence }] of Object.entries(
  cases,
)) {
  test(`${what}: the field that the server refuses gets the focus, and its error goes when it is changed`, async () => {
    const { user } = visit(path, answers);
    await before?.(user);
    const form = await formNamed(name);
    for (const [label, text] of Object.entries(typed)) {
      await user.clear(field(form, label));
      await user.type(field(form, label), text);
    }
    await user.click(form.getByRole("button", { name: button }));
    await waitFor(() => expect(wrongIn(field(form, blamed))).toBe(true));
    if (sentence) form.getByText(sentence);
    await waitFor(() => expect(hasFocus(field(form, blamed))).toBe(true));
    await user.type(field(form, blamed), "x");
    expect(wrongIn(field(form, blamed))).toBe(false);
    if (sentence) expect(form.queryByText(sentence)).toBeNull();
  });
}

describe("a form's own error", () => {
  test("stays while a field is changed, and goes when it is sent again, even if that fails here", async () => {
    const sentence = "Invalid username or password";
    const { user } = visit("/login", { "POST /api/auth/login": refused(401, sentence) });
    const form = await formNamed("Login");
    await user.type(field(form, "Username"), "ada");
    await user.type(field(form, "Password"), "words");
    await user.click(form.getByRole("button", { name: "Login" }));
    await form.findByText(sentence);
    await user.clear(field(form, "Password"));
    form.getByText(sentence);
    await user.click(form.getByRole("button", { name: "Login" }));
    expect(form.queryByText(sentence)).toBeNull();
    expect(hasFocus(field(form, "Password"))).toBe(true);
  });
});

describe("the boxes of a code", () => {
  const mfa: Answers = {
    "POST /api/auth/login": refused(401, "The provided mobile authentication code is invalid", {
      code: "mfa_required",
      field: "security_code",
    }),
  };
  const boxes = (form: Form) => form.getAllByRole<HTMLInputElement>("textbox");

  test("get the focus when they are empty, and a refusal's mark goes with the next digit", async () => {
    const page = visit("/login", mfa);
    const { user } = page;
    const first = await formNamed("Login");
    await user.type(field(first, "Username"), "theo");
    await user.type(field(first, "Password"), "words");
    await user.click(first.getByRole("button", { name: "Login" }));
    let form = await formNamed("Mobile authentication");
    await user.click(form.getByRole("button", { name: "Confirm" }));
    expect(boxes(form).every(wrongIn)).toBe(true);
    expect(hasFocus(boxes(form)[0])).toBe(true);
    await user.keyboard("1");
    expect(boxes(form).some(wrongIn)).toBe(false);

    page.answers["POST /api/auth/login"] = refused(
      401,
      "The provided mobile authentication code is invalid",
      {
        code: "mfa_code_invalid",
        field: "security_code",
      },
    );
    await user.keyboard("23456");
    await waitFor(async () => {
      form = await formNamed("Mobile authentication");
      expect(boxes(form).every(wrongIn)).toBe(true);
    });
    await waitFor(() => expect(hasFocus(boxes(form)[0])).toBe(true));
    await user.keyboard("7");
    expect(boxes(form).some(wrongIn)).toBe(false);
    expect(form.queryByText("The provided mobile authentication code is invalid")).toBeNull();
  });

  test("when two-factor is turned off, lose a refusal's mark when another code is pasted", async () => {
    const { user } = visit("/dashboard/settings", {
      ...settings,
      "GET /api/user/me": ok({ ...ada, mfa: true }),
      "POST /api/user/mfa/remove": refused(401, "Invalid", {
        code: "mfa_code_invalid",
        field: "security_code",
      }),
    });
    await user.click(await screen.findByRole("button", { name: "Disable two-factor authentication" }));
    const form = await formNamed("Disable two-factor");
    await user.click(boxes(form)[0]!);
    await user.paste("123456");
    await waitFor(() => expect(boxes(form).every(wrongIn)).toBe(true));
    const group = form.getByRole("group", { name: "Code from your authenticator app" });
    const note = document.getElementById(group.getAttribute("aria-describedby") ?? "");
    expect(note?.textContent).toBe("Invalid");
    await waitFor(() => expect(hasFocus(boxes(form)[0])).toBe(true));
    await user.paste("12");
    expect(boxes(form).some(wrongIn)).toBe(false);
  });
});

test("the repeated password that differs gets the focus", async () => {
  const { user, named } = visit("/dashboard/settings", settings);
  await changePassword(user);
  const form = await formNamed("Change password");
  await user.type(field(form, "Old Password"), "a");
  await user.type(field(form, "New Password"), "long enough");
  await user.type(field(form, "Repeat Password"), "long enoughh");
  await user.click(form.getByRole("button", { name: "Change Password" }));
  form.getByText("The new passwords do not match");
  expect(hasFocus(field(form, "Repeat Password"))).toBe(true);
  await user.keyboard("{Backspace}");
  expect(form.queryByText("The new passwords do not match")).toBeNull();
  expect(named("POST /api/user/password/reset")).toEqual([]);
});
