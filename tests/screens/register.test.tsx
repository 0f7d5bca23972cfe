import { expect, test } from "bun:test";
import { act, screen, waitFor } from "@testing-library/react";
import { asAda, hasFocus, ok, refused, signedOut, signsIn, unreachable, visit } from "./browser";

const register = "POST /api/auth/register";
const me = "GET /api/user/me";
const labels = ["Username", "Email", "Password", "License key"];

async function fill(user: ReturnType<typeof visit>["user"]) {
  await user.type(await screen.findByLabelText("Username"), "ada");
  await user.type(screen.getByLabelText("Email"), "ada@example.com");
  await user.type(screen.getByLabelText("Password"), " engines engines ");
  await user.type(screen.getByLabelText("License key"), "WISP-61Y5-S1EE-BVJN-C1PM ");
  await user.click(screen.getByRole("button", { name: "Register" }));
}

test("the URL fills in key and email and forgets them at once", async () => {
  visit("/register?license_key=WISP-61Y5-S1EE-BVJN-C1PM&email=ada%40example.com");
  const email = await screen.findByLabelText<HTMLInputElement>("Email");
  expect(email.value).toBe("ada@example.com");
  expect(screen.getByLabelText<HTMLInputElement>("License key").value).toBe("WISP-61Y5-S1EE-BVJN-C1PM");
  await waitFor(() => expect(location.href).toBe("http://localhost:3000/register"));
  expect(screen.getByLabelText<HTMLInputElement>("License key").value).toBe("WISP-61Y5-S1EE-BVJN-C1PM");
});

test("the email field is an email input, and the key's placeholder shows the format", async () => {
  visit("/register");
  expect((await screen.findByLabelText<HTMLInputElement>("Email")).type).toBe("email");
  expect(screen.getByLabelText("License key").getAttribute("placeholder")).toBe("WISP-XXXX-XXXX-XXXX-XXXX");
});

test("the password is hidden until revealed; the key is readable until hidden", async () => {
  const { user } = visit("/register");
  const password = await screen.findByLabelText<HTMLInputElement>("Password");
  expect(password.type).toBe("password");
  await user.click(screen.getByRole("button", { name: "Show password" }));
  expect(password.type).toBe("text");
  const key = screen.getByLabelText<HTMLInputElement>("License key");
  expect(key.type).toBe("text");
  await user.click(screen.getByRole("button", { name: "Hide license key" }));
  expect(key.type).toBe("password");
  // the name says what a press does; "Show …, not pressed" would say it twice, or the opposite
  for (const button of screen.getAllByRole("button", { name: /^(Show|Hide) / }))
    expect(button.hasAttribute("aria-pressed")).toBe(false);
});

/** The text that a field's `aria-describedby` names. */
const noteOf = (label: string) =>
  document.getElementById(screen.getByLabelText(label).getAttribute("aria-describedby") ?? "")?.textContent;

test("every field says its rule before it is broken", async () => {
  visit("/register");
  await screen.findByLabelText("Username");
  expect(labels.map(noteOf)).toEqual([
    "3 to 32 letters, digits, or _ . -",
    "For receipts and recovery codes.",
    "8 to 128 characters, and not a common password.",
    "From your receipt, or the email with your gift.",
  ]);
});

test("all broken rules are shown at once, each at its field, and the first gets the focus", async () => {
  const { user, named } = visit("/register");
  await user.type(await screen.findByLabelText("Username"), "a b");
  await user.type(screen.getByLabelText("Email"), "ada");
  await user.type(screen.getByLabelText("Password"), "short");
  await user.click(screen.getByRole("button", { name: "Register" }));
  expect(labels.map(noteOf)).toEqual([
    "Use 3 to 32 letters, digits, or _ . -",
    "Enter a full email address, with an @ and a dot",
    "Use at least 8 characters",
    "Enter your license key",
  ]);
  expect(hasFocus(screen.getByLabelText("Username"))).toBe(true);
  expect(named(register)).toEqual([]);
  await user.type(screen.getByLabelText("Password"), " enough words");
  expect(noteOf("Password")).toBe("8 to 128 characters, and not a common password.");
  expect(noteOf("Email")).toBe("Enter a full email address, with an @ and a dot");
});

test("all fields that the server refuses say so at once", async () => {
  const taken = "That username is already taken";
  const fields = { username: taken, email: "An account with that email already exists" };
  const { user } = visit("/register", { [register]: refused(409, taken, { field: "username", fields }) });
  await fill(user);
  await waitFor(() => expect(noteOf("Username")).toBe(taken));
  expect(noteOf("Email")).toBe("An account with that email already exists");
  await waitFor(() => expect(hasFocus(screen.getByLabelText("Username"))).toBe(true));
  await user.type(screen.getByLabelText("Username"), "2");
  expect(noteOf("Username")).toBe("3 to 32 letters, digits, or _ . -");
  expect(noteOf("Email")).toBe("An account with that email already exists");
});

test("a new account is welcomed on its dashboard", async () => {
  const page = visit("/register", {
    ...asAda,
    [me]: signedOut,
    [register]: signsIn,
  });
  await fill(page.user);
  await screen.findByText("Welcome, ada!");
  expect(location.pathname).toBe("/dashboard");
  expect(page.named(register)[0]?.body).toEqual({
    username: "ada",
    email: "ada@example.com",
    password: " engines engines ",
    key: "WISP-61Y5-S1EE-BVJN-C1PM",
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
});

test("any other refusal, and an unreachable server, is an alert above the form", async () => {
  const { user, answers } = visit("/register", { [register]: refused(429, "Too many requests") });
  await fill(user);
  expect((await screen.findByRole("alert")).textContent).toBe("Too many requests");
  answers[register] = unreachable;
  await user.click(screen.getByRole("button", { name: "Register" }));
  await screen.findByText("An error occurred while attempting to reach the server");
});

test("a failed registration doesn't count as just registered", async () => {
  const { user } = visit("/register", { [register]: refused(409, "No", { field: "key" }) });
  await fill(user);
  await screen.findByRole("alert");
  expect(sessionStorage.getItem("just_registered")).toBeNull();
});

test("anyone already signed in is sent to the dashboard", async () => {
  visit("/register", asAda);
  await waitFor(() => expect(location.pathname).toBe("/dashboard"));
});

test("a signed-in visitor redeems the URL's key with one click, and is not asked to register", async () => {
  const page = visit("/dashboard", {
    ...asAda,
    "POST /api/licenses/redeem": ok({ expiry_date: null }),
    "GET /api/licenses/me": ok([]),
  });
  await screen.findByText("Total Users");
  act(() => {
    history.pushState(null, "", "/register?license_key=WISP-61Y5-S1EE-BVJN-C1PM");
    dispatchEvent(new PopStateEvent("popstate"));
  });
  const use = await screen.findByRole("button", { name: "Use it on this account" });
  expect(screen.queryByRole("button", { name: "Register" })).toBeNull();
  await waitFor(() => expect(location.href).toBe("http://localhost:3000/register"));
  await page.user.click(use);
  await waitFor(() => expect(location.pathname).toBe("/dashboard/license"));
  expect(page.sent("POST /api/licenses/redeem")).toMatchObject([{ key: "WISP-61Y5-S1EE-BVJN-C1PM" }]);
});

const exchange = "POST /api/payments/mailed";
const mailed = { email: "ada@example.com", key: "WISP-61Y5-S1EE-BVJN-C1PM" };

test("a reload fills in the form again, and what was typed meanwhile stays", async () => {
  const first = visit("/register#the.token", { [exchange]: ok(mailed) });
  await waitFor(() => expect(location.hash).toBe(""));
  first.unmount();
  const late = Promise.withResolvers<Response>();
  const { user } = visit(null, { [exchange]: () => late.promise });
  await user.type(await screen.findByLabelText("Email"), "other@example.com");
  late.resolve(Response.json({ status: 200, data: mailed }));
  const key = screen.getByLabelText<HTMLInputElement>("License key");
  await waitFor(() => expect(key.value).toBe(mailed.key));
  expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("other@example.com");
});

test("a link that no longer works says so, and the form can be filled in by hand", async () => {
  const { user, named } = visit("/register#the.token", {
    [exchange]: refused(400, "This link was used, has expired or is incomplete", { code: "link_invalid" }),
    [register]: refused(429, "Too many requests"),
  });
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toBe(
    "This link was used, has expired or is incomplete. Type the key from the email instead.",
  );
  await fill(user);
  await screen.findByText("Too many requests");
  expect(named(register)[0]?.body).toMatchObject({ username: "ada", mailed_token: "the.token" });
});

test("a visitor who has an account signs in and finds the key of the link in the box that redeems it", async () => {
  const page = visit("/register#the.token", {
    ...asAda,
    [me]: signedOut,
    [exchange]: ok(mailed),
    "POST /api/auth/login": signsIn,
  });
  await waitFor(() => expect(location.hash).toBe(""));
  await page.user.click(await screen.findByRole("link", { name: "Sign in" }));
  await screen.findByRole("heading", { name: "Welcome back" });
  await page.user.type(screen.getByLabelText("Username"), "ada");
  await page.user.type(screen.getByLabelText("Password"), "engines engines");
  await page.user.click(screen.getByRole("button", { name: "Login" }));
  const box = await screen.findByLabelText<HTMLInputElement>("Redeem a license key");
  await waitFor(() => expect(box.value).toBe(mailed.key));
});

test("a signed-in visitor is led from the link to the box that redeems its key, and nothing is redeemed by itself", async () => {
  const redeem = "POST /api/licenses/redeem";
  const page = visit("/register#the.token", {
    ...asAda,
    [exchange]: ok(mailed),
    [redeem]: ok({ expiry_date: null }),
  });
  const box = await screen.findByLabelText<HTMLInputElement>("Redeem a license key");
  await waitFor(() => expect(box.value).toBe(mailed.key));
  expect(location.href).toBe("http://localhost:3000/dashboard/license#redeem");
  await waitFor(() => expect(hasFocus(screen.getByRole("region", { name: "Redeem" }))).toBe(true));
  expect(page.named(redeem)).toEqual([]);
  const button = screen.getByRole("button", { name: "Redeem" });
  expect(button.className).toContain("bg-primary");
  await page.user.click(button);
  await screen.findByText("Successfully redeemed key, expires never");
  expect(page.named(redeem)[0]?.body).toMatchObject({ key: mailed.key, mailed_token: "the.token" });
  await waitFor(() => expect(box.value).toBe(""));
});

test("a new account continues to where its owner was going", async () => {
  const page = visit("/dashboard/payments", {
    ...asAda,
    "GET /api/payments": ok([]),
    [me]: signedOut,
    [register]: signsIn,
  });
  await page.user.click(await screen.findByRole("link", { name: "Create an account" }));
  await fill(page.user);
  await waitFor(() => expect(location.pathname).toBe("/dashboard/payments"));
});
