import { expect, mock, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import {
  ada,
  type Answers,
  asAda,
  changing,
  hasFocus,
  ok,
  rateLimited,
  refused,
  toastSaying,
  unreachable,
  visit,
  watchDownloads,
} from "./browser";

const me = "GET /api/user/me";
const offer = "POST /api/user/mfa/reset";
const enable = "POST /api/user/mfa/enable";
const remove = "POST /api/user/mfa/remove";
const codes = Array.from({ length: 10 }, (_, at) => `ABCD${at}-EFGH${at}`);
const setup = {
  qr: "data:image/svg+xml;base64,PHN2Zy8+",
  secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  otpauth: "otpauth://totp/x",
};
const wrongCode = refused(401, "The provided mobile authentication code is invalid", {
  code: "mfa_code_invalid",
  field: "security_code",
});

const wantsPassword = refused(403, "Please enter your password again", { code: "reauthenticate" });
const wrongPassword = refused(401, "That is not your password", {
  code: "password_wrong",
  field: "password",
});

const protectedAda = { [me]: ok({ ...ada, mfa: true }) };

async function open(answers: Answers = {}) {
  const page = visit("/dashboard/settings", { ...asAda, [offer]: ok(setup), ...answers });
  const press = async (name: string) => page.user.click(await screen.findByRole("button", { name }));
  return { ...page, press };
}

async function openEnable(answers: Answers = {}) {
  const page = await open(answers);
  await page.press("Enable two-factor authentication");
  await screen.findByRole("dialog", { name: "Confirm your password" });
  await page.user.keyboard("a long enough phrase{Enter}");
  const dialog = await screen.findByRole("dialog", { name: "Enable two-factor authentication" });
  return { ...page, dialog };
}

test("a phone, which can't scan its own screen, opens the authenticator app", async () => {
  const value = "Mozilla/5.0 (Linux; Android 15; Pixel)";
  Object.defineProperty(navigator, "userAgent", { value, configurable: true });
  try {
    const { dialog } = await openEnable();
    const app = await within(dialog).findByRole("link", { name: "Open your authenticator app" });
    expect(app.getAttribute("href")).toBe(setup.otpauth);
  } finally {
    Reflect.deleteProperty(navigator, "userAgent");
  }
});

/** Turns it on, up to the recovery codes. */
async function toCodes() {
  const page = await openEnable({
    [enable]: changing({ [me]: ok({ ...ada, mfa: true }) }, ok({ recovery_codes: codes })),
  });
  await screen.findByRole("img", { name: /^QR code/ });
  await page.user.keyboard("123456");
  await screen.findByRole("dialog", { name: "Keep your recovery codes" });
  return page;
}

async function openRemove(answers: Answers = {}) {
  const page = await open({ ...protectedAda, ...answers });
  await page.press("Disable two-factor authentication");
  await screen.findByRole("dialog", { name: "Disable two-factor authentication" });
  return page;
}

const boxes = () => screen.getAllByRole<HTMLInputElement>("textbox", { name: /^Digit/ });
const typed = () =>
  boxes()
    .map(({ value }) => value)
    .join("");

test("the dialog shows the QR code and the secret as text, and begins in the first box", async () => {
  const { dialog } = await openEnable();
  const picture = await screen.findByRole<HTMLImageElement>("img", { name: /^QR code/ });
  expect(picture.getAttribute("src")).toBe(setup.qr);
  within(dialog).getByText("JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP");
  expect(hasFocus(boxes()[0])).toBe(true);
});

test("the secret is copied as the app expects it", async () => {
  const page = await openEnable();
  await page.press("Copy secret");
  expect(await navigator.clipboard.readText()).toBe(setup.secret);
});

test("a QR code that can't be fetched is reported, with a way to try again", async () => {
  const page = await openEnable({ [offer]: unreachable });
  await toastSaying("There was an error fetching mfa qr code");
  page.answers[offer] = ok(setup);
  await page.press("Try again");
  await screen.findByRole("img", { name: /^QR code/ });
});

test("too many QR codes show an info toast in the server's words", async () => {
  await openEnable({ [offer]: rateLimited });
  const toast = await toastSaying("Too many requests, please try again in 12 seconds");
  expect(toast.dataset.type).toBe("info");
});

test("setting it up takes the password, whose mistake is said at its field", async () => {
  const page = await open({ [offer]: wrongPassword });
  await page.press("Enable two-factor authentication");
  await screen.findByRole("dialog", { name: "Confirm your password" });
  expect(hasFocus(await screen.findByLabelText("Password"))).toBe(true);
  await page.press("Continue");
  expect(page.named(offer)).toHaveLength(0);
  await page.user.keyboard("not this one{Enter}");
  await screen.findByText("That is not your password");
  expect(document.querySelector("[data-sonner-toast]")).toBeNull();
  expect(screen.getByLabelText("Password").getAttribute("aria-invalid")).toBe("true");

  page.answers[offer] = ok(setup);
  await page.user.clear(screen.getByLabelText("Password"));
  await page.user.keyboard("a long enough phrase{Enter}");
  await screen.findByRole("img", { name: /^QR code/ });
  expect(page.sent(offer)).toEqual([{ password: "not this one" }, { password: "a long enough phrase" }]);
});

test("the recovery codes are copied, saved as a file, and printed", async () => {
  const page = await toCodes();
  await page.press("Copy");
  await toastSaying("Copied recovery codes to clipboard");
  expect(await navigator.clipboard.readText()).toBe(codes.join("\n"));

  const saved = watchDownloads();
  await page.press("Download");
  expect(saved.map(({ name }) => name)).toEqual(["recovery-codes-ada.txt"]);
  expect(await saved[0]?.text).toContain(codes.join("\n"));

  const print = mock(() => {});
  Object.assign(globalThis, { print });
  await page.press("Print");
  expect(print).toHaveBeenCalledTimes(1);
});

for (const [action, into] of [
  ["enabling", openEnable],
  ["removing", openRemove],
] as const) {
  const call = action === "enabling" ? enable : remove;
  const button = action === "enabling" ? "Enable" : "Disable";

  for (const [what, answer, keys, sentence] of [
    ["an incomplete code is invalid, and not sent", wrongCode, "123", "Invalid security code"],
    ["a wrong code is invalid; the boxes are cleared", wrongCode, "000000", "Invalid security code"],
    ["no answer is an error", unreachable, "123456", "There was an error verifying security code"],
    [
      "a refusal without a sentence is a failure",
      refused(409, ""),
      "123456",
      "Failed to verify security code",
    ],
  ] as const)
    test(`${action}: ${what}`, async () => {
      const page = await into({ [call]: answer });
      await screen.findAllByRole("textbox", { name: /^Digit/ });
      await page.user.keyboard(keys);
      if (keys.length < 6) await page.press(button);
      await toastSaying(sentence);
      expect(page.named(call)).toHaveLength(keys.length < 6 ? 0 : 1);
      if (answer !== wrongCode || keys.length < 6) return;
      await waitFor(() => expect(typed()).toBe(""));
      await waitFor(() => expect(hasFocus(boxes()[0])).toBe(true));
    });
}

test("a QR code that has expired is replaced by a new one", async () => {
  const sentence = "That QR code has expired. Please scan a new one";
  const page = await openEnable({ [enable]: refused(409, sentence, { code: "mfa_setup_expired" }) });
  await screen.findByRole("img", { name: /^QR code/ });
  page.answers[offer] = ok({ ...setup, secret: "AAAABBBB" });
  await page.user.keyboard("123456");
  await toastSaying(sentence);
  await screen.findByText("AAAA BBBB");
});

test("the sixth digit removes it, and the session shows it", async () => {
  const page = await openRemove({
    [remove]: changing({ [me]: ok(ada) }, ok("Removed mobile authenticaiton")),
  });
  await page.user.keyboard("123456");
  await toastSaying("Removed mobile authenticaiton");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await screen.findByText("Disabled");
});

test("turning it off a while after signing in takes the password along with the code", async () => {
  const page = await openRemove({ [remove]: wantsPassword });
  await page.user.keyboard("123456");
  const password = await screen.findByLabelText("Password");
  expect(hasFocus(password)).toBe(true);
  expect(typed()).toBe("123456");
  page.answers[remove] = changing({ [me]: ok(ada) }, ok("Disabled mobile authentication"));
  await page.user.keyboard("a long enough phrase{Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(page.sent(remove)).toEqual([
    { security_code: "123456" },
    { security_code: "123456", password: "a long enough phrase" },
  ]);
});
