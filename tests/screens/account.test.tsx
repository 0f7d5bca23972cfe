import { expect, spyOn, test } from "bun:test";
import { act, screen, waitFor, within } from "@testing-library/react";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { resetWait } from "@/web/parts/account/device-cooldown";
import {
  ada,
  type Answers,
  asAda,
  changing,
  hasFocus,
  limitedFor,
  ok,
  refused,
  toastSaying,
  unreachable,
  visit,
} from "./browser";

const me = "GET /api/user/me";
const device = "GET /api/user/device";
const resetToken = "POST /api/user/info/reset/token";
const resetHwid = "POST /api/user/info/reset/hwid";
const changeEmail = "POST /api/user/email/reset";
const changePassword = "POST /api/user/password/reset";
const invalidCode = "The provided mobile authentication code is invalid";

const account: Answers = asAda;

const as = (changes: Partial<typeof ada>) => ({ ...account, [me]: ok({ ...ada, ...changes }) });

async function open(tab: string, answers = account) {
  const page = visit(`/dashboard/account${tab}`, answers);
  await screen.findByRole("tablist", { name: "Account" });
  return page;
}

const shown = () => screen.getByRole("tabpanel").getAttribute("aria-labelledby");
const tab = (name: string) => screen.getByRole("tab", { name });
const press = async (page: Awaited<ReturnType<typeof open>>, name: string | RegExp, within_?: HTMLElement) =>
  page.user.click((within_ ? within(within_) : screen).getByRole("button", { name }));

// The tabs

test("there are five tabs, and the first is open", async () => {
  await open("");
  const names = screen.getAllByRole("tab").map(({ textContent }) => textContent);
  expect(names).toEqual(["Details", "Security", "License", "Payments", "HWID"]);
  expect(shown()).toBe(tab("Details").id);
});

for (const [hash, name, holds] of [
  ["#details", "Details", "Auth token"],
  ["#security", "Security", "Two-factor authentication"],
  ["#license", "License", "Your licenses"],
  ["#payments", "Payments", "No previous payment transactions found"],
  ["#hwid", "HWID", "Hardware ID"],
  ["#nonsense", "Details", "Auth token"],
] as const) {
  test(`the URL ${hash} opens ${name}`, async () => {
    await open(hash);
    expect(shown()).toBe(tab(name).id);
    expect((await screen.findAllByText(holds)).length).toBeGreaterThan(0);
  });
}

test("selecting a tab puts it in the URL", async () => {
  const { user } = await open("");
  await user.click(tab("Security"));
  await waitFor(() => expect(location.hash).toBe("#security"));
  await waitFor(() => expect(shown()).toBe(tab("Security").id));
});

test("arrow keys cycle through the tabs, Home and End go to the first and last, and Tab enters the panel", async () => {
  const { user } = await open("");
  act(() => tab("Details").focus());
  const goes = async (keys: string, name: string) => {
    await user.keyboard(keys);
    expect(hasFocus(tab(name))).toBe(true);
    await waitFor(() => expect(shown()).toBe(tab(name).id));
  };
  await goes("{ArrowRight}", "Security");
  await goes("{End}", "HWID");
  await goes("{ArrowRight}", "Details");
  await goes("{ArrowLeft}", "HWID");
  await goes("{Home}", "Details");
  expect(screen.getAllByRole("tab").map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1, -1, -1]);
  await user.tab();
  expect(hasFocus(screen.getByRole("tabpanel"))).toBe(true);
});

test("sessions and the security log are in Settings, where Security leads", async () => {
  await open("#security");
  expect(screen.getByRole("link", { name: "Sessions and security log" }).getAttribute("href")).toBe(
    "/dashboard/settings#security",
  );
});

test("redeeming a key in its tab stays in that tab", async () => {
  const page = await open("#license", { ...account, "POST /api/licenses/redeem": ok({ expiry_date: null }) });
  await page.user.type(await screen.findByLabelText("Redeem a license key"), "WISP-61Y5");
  await press(page, "Redeem");
  await toastSaying("Successfully redeemed key, expires never");
  expect(location.hash).toBe("#license");
});

// The auth token

const field = () => screen.getByLabelText<HTMLInputElement>("Auth token", { selector: "input" });

test("a token is not in the page until it is revealed", async () => {
  const page = await open("", as({ api_key: "token-of-ada" }));
  expect(field().value).toMatch(/^•+$/);
  expect(document.body.innerHTML).not.toContain("token-of-ada");
  await press(page, "Show auth token");
  expect(field().value).toBe("token-of-ada");
  await press(page, "Hide auth token");
  expect(field().value).toMatch(/^•+$/);
});

test("without a token it says so, offers nothing to copy, and makes the first without confirmation", async () => {
  const page = await open("", {
    ...as({ api_key: null }),
    [resetToken]: changing({ [me]: ok({ ...ada, api_key: "the-first" }) }, ok({ api_key: "the-first" })),
  });
  expect(field().value).toBe("Not Set");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Copy" }).disabled).toBe(true);
  await press(page, "Reset");
  await toastSaying("Reset auth token successfully");
  await press(page, "Show auth token");
  expect(field().value).toBe("the-first");
});

test("copying a token shows a toast in the account area", async () => {
  const page = await open("", as({ api_key: "token-of-ada" }));
  await press(page, "Copy");
  const { xPosition, type } = (await toastSaying("Copied auth token to clipboard")).dataset;
  expect([xPosition, type]).toEqual(["left", "success"]);
  expect(await navigator.clipboard.readText()).toBe("token-of-ada");
});

test("a clipboard that refuses is reported", async () => {
  const page = await open("", as({ api_key: "token-of-ada" }));
  spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("no"));
  await press(page, "Copy");
  const toast = await toastSaying("There was an error copying auth token to clipboard");
  expect(toast.dataset.type).toBe("error");
});

test("before a reset it warns that the application is signed out, and Cancel changes nothing", async () => {
  const page = await open("", as({ api_key: "token-of-ada" }));
  await press(page, "Reset");
  const dialog = await screen.findByRole("alertdialog", { name: "Reset your auth token?" });
  expect(dialog.textContent).toContain("is signed out everywhere until you enter the new token");
  expect(document.activeElement?.textContent).toBe("Cancel");
  await page.user.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  await waitFor(() => expect(hasFocus(screen.getByRole("button", { name: "Reset" }))).toBe(true));
  expect(page.named(resetToken)).toEqual([]);
});

test("a reset shows the new token, and the session is fetched again", async () => {
  const page = await open("", {
    ...as({ api_key: "old" }),
    [resetToken]: changing({ [me]: ok({ ...ada, api_key: "new" }) }, ok({ api_key: "new" })),
  });
  await press(page, "Show auth token");
  const asked = page.named(me).length;
  await press(page, "Reset");
  await press(page, "Reset", await screen.findByRole("alertdialog"));
  await toastSaying("Reset auth token successfully");
  expect(field().value).toBe("new");
  await waitFor(() => expect(page.named(me).length).toBeGreaterThan(asked));
});

test("a reset that fails says so and keeps the token", async () => {
  const page = await open("", { ...as({ api_key: null }), [resetToken]: unreachable });
  await press(page, "Reset");
  expect((await toastSaying("There was an error resetting auth token")).dataset.type).toBe("error");
  expect(field().value).toBe("Not Set");
});

test("too many resets show an info toast, and the button counts down until it can be pressed again", async () => {
  const sentence = "Too many requests, please try again in 42 seconds";
  const page = await open("", { ...as({ api_key: null }), [resetToken]: limitedFor(42, sentence) });
  await press(page, "Reset");
  expect((await toastSaying(sentence)).dataset.type).toBe("info");
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: /^Try again in 4[012] s$/ });
  expect(button.disabled).toBe(true);
});

// The email

const fill = async (page: Awaited<ReturnType<typeof open>>, label: string, text: string) => {
  const input = screen.getByLabelText(label);
  await page.user.clear(input);
  if (text) await page.user.type(input, text);
};
const isWrong = (label: string) => screen.getByLabelText(label).getAttribute("aria-invalid") === "true";

test("an email without a password is highlighted and not sent, and one that is unchanged can't be saved", async () => {
  const page = await open("");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled).toBe(true);
  await fill(page, "Email", "ada@new.example");
  await press(page, "Save");
  expect(isWrong("Password")).toBe(true);
  expect(page.named(changeEmail)).toEqual([]);
});

for (const email of ["no-at.example", "no@dot"]) {
  test(`${email} is not an email address, and is not sent`, async () => {
    const page = await open("");
    await fill(page, "Email", email);
    await fill(page, "Password", "ada-likes-engines");
    await press(page, "Save");
    expect(isWrong("Email")).toBe(true);
    expect(page.named(changeEmail)).toEqual([]);
  });
}

test("a new email waits for the digits that were mailed there, which the page asks for", async () => {
  const confirm = "POST /api/user/email/confirm";
  const asked = "Open the link we emailed to ada@new.example, or enter its digits here";
  const page = await open("", {
    ...account,
    [changeEmail]: changing({ [me]: ok({ ...ada, email_pending: "ada@new.example" }) }, ok(asked)),
    [confirm]: changing(
      { [me]: ok({ ...ada, email: "ada@new.example" }) },
      ok({ email: "ada@new.example", confirmed: true }),
    ),
  });
  await fill(page, "Email", "ada@new.example");
  await fill(page, "Password", "ada-likes-engines");
  await press(page, "Save");
  await toastSaying(asked);
  expect(page.named(changeEmail)[0]?.body).toEqual({
    email: "ada@new.example",
    password: "ada-likes-engines",
  });
  const email = screen.getByLabelText<HTMLInputElement>("Email");
  expect(email.value).toBe("ada@example.com");
  expect(screen.getByLabelText<HTMLInputElement>("Password").value).toBe("");
  const form = await screen.findByRole("form", { name: "Confirm email" });
  await page.user.click(within(form).getByLabelText("Digit 1 of 6"));
  await page.user.keyboard("123456");
  await toastSaying("Updated user email to ada@new.example");
  expect(page.named(confirm)[0]?.body).toEqual({ code: "123456" });
  await waitFor(() => expect(email.value).toBe("ada@new.example"));
});

test("with two-factor it asks for a code too; a wrong one clears the boxes", async () => {
  const page = await open("", {
    ...as({ mfa: true }),
    [changeEmail]: refused(401, invalidCode, { code: "mfa_code_invalid", field: "security_code" }),
  });
  await fill(page, "Email", "ada@new.example");
  await fill(page, "Password", "ada-likes-engines");
  await press(page, "Save");
  expect(page.named(changeEmail)).toEqual([]);
  await page.user.click(screen.getByLabelText("Digit 1 of 6"));
  await page.user.keyboard("123456");
  await press(page, "Save");
  await screen.findByText(invalidCode);
  expect(document.querySelector("[data-sonner-toast]")).toBeNull();
  expect(page.named(changeEmail)[0]?.body).toMatchObject({ security_code: "123456" });
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("Digit 6 of 6").value).toBe(""));
});

test("a refusal without a sentence is an unknown error", async () => {
  const page = await open("", { ...account, [changeEmail]: () => new Response("", { status: 500 }) });
  await fill(page, "Email", "ada@new.example");
  await fill(page, "Password", "ada-likes-engines");
  await press(page, "Save");
  await toastSaying("An unkown error has occured");
});

// The password

const fillPasswords = async (page: Awaited<ReturnType<typeof open>>, ...texts: string[]) => {
  const labels = ["Old Password", "New Password", "Repeat Password"];
  for (const [at, label] of labels.entries()) await fill(page, label, texts[at] ?? "");
  await press(page, "Change Password");
};

test("all three passwords are required", async () => {
  const page = await open("#security");
  await fillPasswords(page, "", "", "");
  for (const label of ["Old Password", "New Password", "Repeat Password"]) expect(isWrong(label)).toBe(true);
  expect(page.named(changePassword)).toEqual([]);
});

test("a changed password is confirmed, and the form is cleared", async () => {
  const page = await open("#security", {
    ...account,
    [changePassword]: ok("Reset account password successfully"),
  });
  await fillPasswords(page, "ada-likes-engines", " a new long phrase", " a new long phrase");
  await toastSaying("Reset account password successfully");
  expect(page.named(changePassword)[0]?.body).toEqual({
    old_password: "ada-likes-engines",
    new_password: " a new long phrase",
  });
  expect(screen.getByLabelText<HTMLInputElement>("New Password").value).toBe("");
});

// The hardware ID

test("without a device the status is Unattatched, and a reset says that it is not needed", async () => {
  const page = await open("#hwid", {
    ...account,
    [resetHwid]: refused(409, "Hardware ID is not already set", { code: "hwid_not_set" }),
  });
  screen.getByText("Unattatched");
  await press(page, "Reset");
  expect((await toastSaying("Hardware ID is not already set")).dataset.type).toBe("info");
});

test("a device is shown and reset after confirmation, and the next reset is 30 days away", async () => {
  const bound = {
    label: "Ada's desktop",
    os: "Windows 11",
    version: "2.4.0",
    active: true,
    first_seen: new Date(2026, 4, 31, 16, 5).toISOString(),
    last_seen: new Date(2026, 4, 31, 16, 5).toISOString(),
  };
  const page = await open("#hwid", {
    ...as({ hwid_set: true }),
    [device]: ok(bound),
    [resetHwid]: changing(
      { [me]: ok({ ...ada, last_reset: new Date().toISOString() }) },
      ok("Hardware ID reset successfully"),
    ),
  });
  screen.getByText("Attatched");
  await screen.findByText("Ada's desktop");
  await press(page, "Reset");
  await press(page, "Reset", await screen.findByRole("alertdialog", { name: "Reset your hardware ID?" }));
  await toastSaying("Hardware ID reset successfully");
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Reset in 30 days" });
  expect(button.disabled).toBe(true);
  screen.getByText("Unattatched");
  expect(screen.getByText(/^Reset available on/).textContent).toMatch(
    / on \w{3} \d+, \d{4} at \d+:\d\d [AP]M\. Ask support$/,
  );
  expect(screen.getByRole("link", { name: "Ask support" }).getAttribute("href")).toBe(
    "/dashboard/tickets?new=device",
  );
});

test("a reset that fails says so", async () => {
  const page = await open("#hwid", { ...account, [resetHwid]: unreachable });
  await press(page, "Reset");
  await toastSaying("There was an error resetting your hardware id");
});

test("a reset that is too early is refused in the server's words", async () => {
  const sentence = "Hardware ID can be reset again in 12 days";
  const page = await open("#hwid", {
    ...account,
    [resetHwid]: refused(409, sentence, { code: "hwid_cooldown" }),
  });
  await press(page, "Reset");
  await toastSaying(sentence);
});

test("Re-Check fetches the device again", async () => {
  const page = await open("#hwid");
  page.answers[me] = ok({ ...ada, hwid_set: true });
  await press(page, "Re-Check");
  await screen.findByText("Attatched");
});

const now = new Date("2026-05-31T12:00:00.000Z");
for (const [ago, left] of [
  [null, null],
  [30 * day, null],
  [31 * day, null],
  [30 * day - 1, "1 minute"],
  [30 * day - hour, "60 minutes"],
  [30 * day - 90 * minute, "2 hours"],
  [29 * day, "24 hours"],
  [day, "29 days"],
  [0, "30 days"],
  [-minute, "30 days"],
] as const) {
  test(`the last reset ${ago} ms ago leaves ${left}`, () => {
    const last = ago === null ? null : new Date(now.getTime() - ago).toISOString();
    expect(resetWait(last, now)?.left ?? null).toBe(left);
  });
}

test("a new password can reset the auth token, unticked by default", async () => {
  const page = await open("#security", {
    ...as({ api_key: "k" }),
    [changePassword]: ok("Reset account password successfully"),
  });
  const form = await screen.findByRole("form", { name: "Change password" });
  const change = async () => {
    await page.user.type(within(form).getByLabelText("Old Password"), "an old long phrase");
    for (const label of ["New Password", "Repeat Password"])
      await page.user.type(within(form).getByLabelText(label), "a new long phrase");
    await page.user.click(within(form).getByRole("button", { name: "Change Password" }));
  };
  await change();
  await waitFor(() => expect(page.named(changePassword)).toHaveLength(1));
  expect(page.named(changePassword)[0]?.body).not.toHaveProperty("renew_token");
  await toastSaying("Reset account password successfully");
  await page.user.click(within(form).getByRole("checkbox", { name: "Also reset the auth token" }));
  await change();
  await waitFor(() => expect(page.named(changePassword)[1]?.body).toMatchObject({ renew_token: true }));
});
