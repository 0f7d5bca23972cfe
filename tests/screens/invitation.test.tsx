import { expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { ada, asAda, ok, refused, silence, visit } from "./browser";

const accept = "POST /api/invitation";

test("an invited person chooses a name and a password, and continues to two-factor", async () => {
  const sam = ok({ ...ada, username: "sam", active_license: false, staff: "support" });
  const page = visit("/invitation#id.the-token", {
    ...asAda,
    "GET /api/user/sessions": silence,
    "GET /api/user/security-events": silence,
    [accept]: ok({ username: "sam" }),
    "GET /api/user/me": () => (page.named(accept).length > 0 ? sam : refused(401, "Sign in"))(),
  });
  await screen.findByRole("heading", { name: "Join the staff" });
  await waitFor(() => expect(location.hash).toBe(""));
  await page.user.click(screen.getByRole("button", { name: "Join" }));
  screen.getByText("Choose a username");
  screen.getByText("Choose a password");
  expect(page.named(accept)).toEqual([]);
  await page.user.type(screen.getByLabelText("Username"), "sam");
  await page.user.type(screen.getByLabelText("Password"), "a long enough phrase");
  await page.user.click(screen.getByRole("button", { name: "Join" }));
  await waitFor(() => expect(location.pathname).toBe("/dashboard/settings"));
  expect(page.named(accept)[0]?.body).toMatchObject({ token: "id.the-token", username: "sam" });
});

test("a used invitation says so, and a truncated link too", async () => {
  const sentence = "That invitation was used or has expired. Ask for a new one";
  const page = visit("/invitation#old", {
    [accept]: refused(400, sentence, { code: "invitation_invalid" }),
  });
  await page.user.type(await screen.findByLabelText("Username"), "sam");
  await page.user.type(screen.getByLabelText("Password"), "a long enough phrase");
  await page.user.click(screen.getByRole("button", { name: "Join" }));
  expect((await screen.findByRole("alert")).textContent).toBe(sentence);
  page.unmount();
  visit("/invitation");
  expect((await screen.findByRole("alert")).textContent).toContain("incomplete");
});

test("joining with an account takes its password and code, then continues to two-factor", async () => {
  const join = "POST /api/invitation/join";
  const page = visit("/invitation#the-token", {
    ...asAda,
    "GET /api/user/me": ok({ ...ada, mfa: true }),
    "GET /api/user/sessions": silence,
    "GET /api/user/security-events": silence,
    "POST /api/user/reauthenticate": ok(null),
    [join]: () =>
      (page.named("POST /api/user/reauthenticate").length > 0
        ? ok({ username: "ada" })
        : refused(403, "Please enter your password again", { code: "reauthenticate" }))(),
  });
  await page.user.click(await screen.findByRole("button", { name: "Join as ada" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Confirm it's you" }));
  dialog.getByText(/Joining the staff needs your password/);
  expect(screen.queryByRole("alert")).toBeNull();
  await page.user.type(dialog.getByLabelText("Password"), "a long enough phrase");
  await page.user.click(dialog.getByRole("textbox", { name: /^Digit 1/ }));
  await page.user.keyboard("123456");
  await page.user.click(dialog.getByRole("button", { name: "Continue" }));
  await waitFor(() => expect(location.pathname).toBe("/dashboard/settings"));
  expect(page.sent("POST /api/user/reauthenticate")).toEqual([
    { password: "a long enough phrase", security_code: "123456" },
  ]);
  expect(page.sent(join)).toEqual([{ token: "the-token" }, { token: "the-token" }]);
});

test("somebody who is signed in joins with that account, or makes a new one", async () => {
  const page = visit("/invitation#the-token", {
    ...asAda,
    "POST /api/invitation/join": refused(400, "That invitation has been used"),
  });
  await page.user.click(await screen.findByRole("button", { name: "Join as ada" }));
  expect((await screen.findByRole("alert")).textContent).toBe("That invitation has been used");
  expect(page.named("POST /api/invitation/join")[0]?.body).toEqual({ token: "the-token" });
  await page.user.click(screen.getByRole("button", { name: "Create a new account" }));
  await screen.findByLabelText("Username");
});
