import { describe, expect, test } from "bun:test";
import { screen, waitFor } from "@testing-library/react";
import { brand } from "@/brand/brand";
import { destinationOf } from "@/web/parts/destination";
import {
  asAda,
  changing,
  hasFocus,
  ok,
  refused,
  signedOut,
  signsIn,
  silence,
  unreachable,
  visit,
} from "./browser";

const login = "POST /api/auth/login";
const me = "GET /api/user/me";
const invalidCode = "The provided mobile authentication code is invalid";

async function send(user: ReturnType<typeof visit>["user"], username: string, password: string) {
  if (username) await user.type(await screen.findByLabelText("Username"), username);
  if (password) await user.type(screen.getByLabelText("Password"), password);
  await user.click(screen.getByRole("button", { name: "Login" }));
}

test("empty fields say in words what is missing until they are filled, and nothing is sent", async () => {
  const { user, named } = visit("/login");
  await screen.findByLabelText("Username");
  await send(user, "", "");
  const described = (label: string) => {
    const field = screen.getByLabelText(label);
    const note = document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent;
    return [field.getAttribute("aria-invalid"), note];
  };
  expect(described("Username")).toEqual(["true", "Enter your username"]);
  expect(described("Password")).toEqual(["true", "Enter your password"]);
  expect(hasFocus(screen.getByLabelText("Username"))).toBe(true);
  await user.type(screen.getByLabelText("Username"), "a");
  expect([described("Username")[0], described("Password")[0]]).toEqual([null, "true"]);
  expect(named(login)).toEqual([]);
});

test("after signing in, the account is fetched and its dashboard opens", async () => {
  const page = visit("/login", {
    ...asAda,
    [me]: signedOut,
    [login]: signsIn,
  });
  await send(page.user, " ada ", "ada-likes-engines");
  await screen.findByText("Total Users");
  expect(location.pathname).toBe("/dashboard");
  expect(page.named(login)[0]?.body).toEqual({ username: "ada", password: "ada-likes-engines" });
});

test("an unreachable server is reported in the alert", async () => {
  const { user } = visit("/login", { [login]: unreachable });
  await send(user, "ada", "x");
  expect((await screen.findByRole("alert")).textContent).toBe(
    "An error occurred while attempting to reach the server",
  );
});

test("if the account can't be fetched after signing in, the sentence is shown and nobody is signed in", async () => {
  const { user } = visit("/login", {
    [login]: ok({ username: "ada" }),
    [me]: refused(403, "This account is closed"),
  });
  await send(user, "ada", "x");
  expect((await screen.findByRole("alert")).textContent).toBe("This account is closed");
  expect(location.pathname).toBe("/login");
});

test("while signing in, the button says so and can't send twice", async () => {
  const { user, named } = visit("/login", { [login]: silence });
  await send(user, "ada", "x");
  const button = await screen.findByRole("button", { name: "Signing in…" });
  expect(button.getAttribute("aria-busy")).toBe("true");
  await user.type(screen.getByLabelText("Password"), "{Enter}");
  expect(named(login)).toHaveLength(1);
});

test("anyone already signed in is sent to the dashboard", async () => {
  visit("/login", asAda);
  await waitFor(() => expect(location.pathname).toBe("/dashboard"));
});

test("it links to recovery and registration", async () => {
  visit("/login");
  expect((await screen.findByRole("link", { name: "FORGOT PASSWORD" })).getAttribute("href")).toBe(
    "/forgot-pass",
  );
  expect(screen.getByRole("link", { name: "Create an account" }).getAttribute("href")).toBe("/register");
});

test("a password can be shown and hidden", async () => {
  const { user } = visit("/login");
  const field = await screen.findByLabelText<HTMLInputElement>("Password");
  expect(field.type).toBe("password");
  // a password manager recognises the field, and a code may be pasted
  expect(field.autocomplete).toBe("current-password");
  await user.click(field);
  await user.paste("from the manager");
  expect(field.value).toBe("from the manager");
  await user.click(screen.getByRole("button", { name: "Show password" }));
  expect(field.type).toBe("text");
  await user.click(screen.getByRole("button", { name: "Hide password" }));
  expect(field.type).toBe("password");
});

/** Asks for a code, and takes none. */
const takingNoCode = {
  [login]: changing(
    { [login]: refused(401, invalidCode, { code: "mfa_code_invalid" }) },
    refused(401, invalidCode, { code: "mfa_required" }),
  ),
};

test("a wrong code says so, clears the boxes and flips the screen", async () => {
  const { user } = visit("/login", takingNoCode);
  await send(user, "ada", "ada-likes-engines");
  await screen.findByRole("group", { name: "Code from your authenticator app" });
  await user.keyboard("000000");
  expect((await screen.findByRole("alert")).textContent).toBe(invalidCode);
  const boxes = screen.getAllByRole<HTMLInputElement>("textbox");
  expect(boxes.map((box) => box.value).join("")).toBe("");
  expect(boxes[0]?.closest(".flip-once")).not.toBeNull();
  await user.click(screen.getByRole("button", { name: "Use a recovery code" }));
  expect(screen.getByLabelText("Recovery code")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "GO BACK" }));
  expect((await screen.findByLabelText<HTMLInputElement>("Username")).value).toBe("ada");
});

test("a wrong recovery code stays in its field, which says so, and who lost all codes reads where to write", async () => {
  const page = visit("/login", takingNoCode);
  await send(page.user, "ada", "ada-likes-engines");
  await screen.findByRole("group", { name: "Code from your authenticator app" });
  await page.user.keyboard("000000");
  await screen.findByText(invalidCode);
  await page.user.click(screen.getByRole("button", { name: "Use a recovery code" }));
  // the refusal was about the six digits
  expect(screen.queryAllByText(invalidCode).length).toBe(0);
  screen.getByText(/Signing in as ada\. Enter one of your recovery codes\./);
  expect(screen.getByRole("link", { name: brand.supportEmail }).getAttribute("href")).toContain("mailto:");
  const field = screen.getByLabelText<HTMLInputElement>("Recovery code");
  await page.user.type(field, "abcd-efgh{Enter}");
  const sentence = await screen.findByText("That recovery code is wrong or was already used");
  expect(field.isConnected).toBe(true);
  expect(field.value).toBe("abcd-efgh");
  expect(field.getAttribute("aria-describedby")).toBe(sentence.id);
  expect(hasFocus(field)).toBe(true);
  await page.user.click(screen.getByRole("button", { name: "Use the authenticator app" }));
  expect(screen.queryAllByRole("alert").length).toBe(0);
  screen.getByText(/Enter the code from your authenticator app\./);
});

const payments = { "GET /api/payments": ok([]) };
const goingTo = "/dashboard/payments?page=2#latest";

/** Ada, who is signed in by her next successful call. */
function openAsStranger(path: string | null, answer: Parameters<typeof visit>[1] = {}) {
  const page = visit(path, {
    ...asAda,
    ...payments,
    [me]: signedOut,
    [login]: signsIn,
    ...answer,
  });
  return page;
}
const here = () => location.pathname + location.search + location.hash;

test("signing in continues to where the visitor was going", async () => {
  const page = openAsStranger(goingTo);
  await send(page.user, "ada", "ada-likes-engines");
  await waitFor(() => expect(here()).toBe(goingTo));
});

test("so does the code step", async () => {
  const page = openAsStranger(goingTo, {
    [login]: refused(401, "Please enter your mobile authentication code", { code: "mfa_required" }),
  });
  await send(page.user, "ada", "ada-likes-engines");
  await screen.findByRole("group", { name: "Code from your authenticator app" });
  page.answers[login] = signsIn;
  await page.user.keyboard("123456");
  await waitFor(() => expect(here()).toBe(goingTo));
});

test("so do a reload of the sign-in page and a detour to password recovery", async () => {
  const first = openAsStranger(goingTo);
  await screen.findByLabelText("Username");
  first.unmount();
  const page = openAsStranger(null);
  await page.user.click(await screen.findByRole("link", { name: "FORGOT PASSWORD" }));
  await page.user.click(await screen.findByRole("link", { name: "GO BACK" }));
  await send(page.user, "ada", "ada-likes-engines");
  await waitFor(() => expect(here()).toBe(goingTo));
});

for (const from of [
  "//evil.example/dashboard",
  "https://evil.example/dashboard",
  "/\\evil.example/dashboard",
  "http://localhost:3000@evil.example/dashboard",
  "javascript:alert(1)",
  "data:text/html,/dashboard",
  "/api/user/export",
  "/dashboard/../api/download",
  "/dashboardly",
  "/logout",
  "/login",
  "http://[",
  "",
  { toString: () => "/dashboard/settings" },
  null,
]) {
  test(`signing in leads to the dashboard, never to ${JSON.stringify(from)}`, () => {
    expect(destinationOf({ from })).toBe("/dashboard");
  });
}

test("a URL can't choose where signing in leads", async () => {
  for (const name of ["from", "next", "redirect", "return_to"]) {
    const page = openAsStranger(`/login?${name}=//evil.example#/dashboard/settings`);
    await send(page.user, "ada", "ada-likes-engines");
    await waitFor(() => expect(here()).toBe("/dashboard"));
    page.unmount();
  }
});

describe("sent to sign in", () => {
  test("a visitor whose session ended reads why, and comes back to the same page", async () => {
    const { user, answers } = visit("/dashboard/payments?page=2", { ...asAda, "GET /api/payments": ok([]) });
    await screen.findByText("No previous payment transactions found");
    answers[me] = signedOut;
    answers["GET /api/payments"] = signedOut;
    answers["GET /api/licenses/me"] = signedOut;
    await user.click(screen.getAllByRole("link", { name: "License" })[0]!);
    await screen.findByText("You were signed out. Sign in to continue.");
    answers[login] = changing({ "GET /api/licenses/me": ok([]) }, signsIn);
    await send(user, "ada", "ada-likes-engines");
    await waitFor(() => expect(location.pathname).toBe("/dashboard/license"));
  });

  test("a visitor who was never signed in here, or signed out, is not told otherwise", async () => {
    const page = visit("/dashboard/payments");
    await screen.findByText("Sign in to continue.");
    page.unmount();
    visit("/login");
    await screen.findByLabelText("Username");
    expect(screen.queryByText(/Sign in to continue/)).toBeNull();
  });

  for (const file of ["https://evil.example", "//evil.example", "unknown", "/api/download"]) {
    test(`a file named ${file} leads nowhere`, async () => {
      visit(`/login?file=${encodeURIComponent(file)}`, asAda);
      await waitFor(() => expect(location.pathname + location.search).toBe("/dashboard"));
    });
  }
});
