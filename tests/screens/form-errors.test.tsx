import { describe, expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { ada, type Answers, asAda, hasFocus, limitedFor, ok, refused, visit } from "./browser";

const wrongIn = (element: HTMLElement) => element.getAttribute("aria-invalid") === "true";
const formNamed = async (name: string) => within(await screen.findByRole("form", { name }));
type Form = Awaited<ReturnType<typeof formNamed>>;
const field = (form: Form, label: string) =>
  form.getByLabelText<HTMLInputElement>(label, { selector: "input, textarea" });

type Case = {
  path: string;
  answers?: Answers;
  call: string;
  form: string;
  /** Named as the form, if nothing else is said. */
  button?: string;
  /** What is typed before it is sent. */
  typed: Record<string, string>;
  /** The field that the server refuses, and what it says. */
  refusal: [status: number, name: string, sentence: string];
  blamed: string;
  before?: (user: ReturnType<typeof visit>["user"]) => Promise<void>;
};

const edit = async (user: ReturnType<typeof visit>["user"]) =>
  user.click(await screen.findByRole("button", { name: "Edit" }));
const changePassword = async (user: ReturnType<typeof visit>["user"]) =>
  user.click(await screen.findByRole("button", { name: "Change Password" }));

const cases: Record<string, Case> = {
  register: {
    path: "/register",
    call: "POST /api/auth/register",
    form: "Register",
    typed: {
      Username: "ada",
      Email: "a@example.com",
      Password: "long enough words",
      "License key": "WISP-1",
    },
    refusal: [409, "username", "That username is taken"],
    blamed: "Username",
  },
  redeem: {
    path: "/dashboard/license",
    answers: asAda,
    call: "POST /api/licenses/redeem",
    form: "Redeem",
    typed: { "Redeem a license key": "WISP-1" },
    refusal: [400, "key", "No such key"],
    blamed: "Redeem a license key",
  },
  "forgot password": {
    path: "/forgot-pass",
    call: "GET /api/user/password/forgot",
    form: "Send Email",
    typed: { Email: "ada" },
    refusal: [400, "email", "email must be an email address"],
    blamed: "Email",
  },
  "find my order": {
    path: "/find-order",
    call: "POST /api/payments/find",
    form: "Find your order",
    button: "Send Email",
    typed: { Email: "ada" },
    refusal: [400, "email", "email must be an email address"],
    blamed: "Email",
  },
  "a new email address": {
    path: "/dashboard/settings",
    answers: asAda,
    call: "POST /api/user/email/reset",
    before: edit,
    form: "Change email",
    button: "Save",
    typed: { Email: "x@example.com", Password: "words" },
    refusal: [409, "email", "That email is taken"],
    blamed: "Email",
  },
  "a new password": {
    path: "/dashboard/settings",
    answers: asAda,
    call: "POST /api/user/password/reset",
    before: changePassword,
    form: "Change password",
    button: "Change Password",
    typed: { "Old Password": "a", "New Password": "long enough", "Repeat Password": "long enough" },
    refusal: [401, "old_password", "That is not your password"],
    blamed: "Old Password",
  },
  "a gift": {
    path: "/?gift",
    answers: { "GET /api/functions/get-stripe-key": () => Response.json({ key: "pk_test_1" }) },
    call: "POST /api/stripe/create-checkout-session",
    form: "Order",
    button: "Purchase gift",
    typed: { "Their email": "bob@example.com", Message: "see evil.example" },
    refusal: [400, "gift.message", "No links, please"],
    blamed: "Message",
  },
};

for (const [what, { path, answers, call, form: name, button = name, before, ...one }] of Object.entries(
  cases,
)) {
  /** Sends the form, which is answered so. */
  const send = async (answer: Answers[string]) => {
    const { user } = visit(path, { ...answers, [call]: answer });
    await before?.(user);
    const form = await formNamed(name);
    for (const [label, text] of Object.entries(one.typed)) {
      await user.clear(field(form, label));
      await user.type(field(form, label), text);
    }
    // that of a gift comes after its form
    await user.click(screen.getByRole("button", { name: button }));
    return { user, form };
  };

  test(`${what}: the field that the server refuses gets the focus, and its error goes when it is changed`, async () => {
    const [status, refusedField, sentence] = one.refusal;
    const answer = refused(status, sentence, { code: "invalid_field", field: refusedField });
    const { user, form } = await send(answer);
    const blamed = field(form, one.blamed);
    await waitFor(() => expect(wrongIn(blamed)).toBe(true));
    form.getByText(sentence);
    await waitFor(() => expect(hasFocus(blamed)).toBe(true));
    expect(blamed.value).toBe(one.typed[one.blamed]!);
    await user.type(blamed, "x");
    expect(wrongIn(blamed)).toBe(false);
    expect(form.queryByText(sentence)).toBeNull();
  });

  // these say so in other ways
  if (["redeem", "forgot password"].includes(what)) continue;
  test(`${what}: too many requests count down on the button`, async () => {
    await send(limitedFor(42));
    expect(await screen.findByRole("button", { name: /^Try again in 4[012] s$/ })).toHaveProperty(
      "disabled",
      true,
    );
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
      ...asAda,
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
  const { user, named } = visit("/dashboard/settings", asAda);
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
