import { expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { endOf, requestIn } from "@/web/screens/dashboard/settings/offline/request-in";
import {
  ada,
  type Answers,
  asAda,
  computer,
  ok,
  rateLimited,
  refused,
  unreachable,
  visit,
  watchDownloads,
} from "./browser";

const me = "GET /api/user/me";
const make = "POST /api/devices/offline";
const list = "GET /api/devices";

const base64url = (said: object) => Buffer.from(JSON.stringify(said)).toString("base64url");
const request = base64url({ hwid_hash: "x".repeat(43), label: "Prüfstand", os: "Windows 10" });
const file = `-----BEGIN LICENSE FILE-----
${base64url({ alg: "EdDSA" })}.${base64url({ exp: Date.UTC(2027, 0, 5, 12) / 1_000 })}.c2ln
-----END LICENSE FILE-----
`;

async function open(answers: Answers = {}) {
  const page = visit("/dashboard/settings#offline", {
    ...asAda,
    [make]: () => new Response(file, { headers: { "content-type": "text/plain" } }),
    ...answers,
  });
  await screen.findByRole("region", { name: "Offline computer" });
  const paste = async (text: string) => {
    await page.user.click(screen.getByLabelText("The application's request"));
    await page.user.paste(text);
  };
  const press = async (name: string) => page.user.click(await screen.findByRole("button", { name }));
  return { ...page, paste, press };
}

test("a pasted request shows its computer and what a file means, and becomes license.lic", async () => {
  const saved = watchDownloads();
  const page = await open();
  screen.getByText(/^It counts as one of your computers until the file expires\./);
  await page.paste(`${request.slice(0, 30)}\n  ${request.slice(30)}\n`);
  expect(screen.getByText("Prüfstand").closest("p")?.textContent).toBe("For Prüfstand, Windows 10.");
  expect(page.named(make)).toEqual([]);
  await page.press("Download license.lic");
  await screen.findByText("license.lic for Prüfstand is in your downloads");
  screen.getByText(/It's valid until Jan 5, 2027 at/);
  expect(page.sent(make)).toEqual([{ request }]);
  expect(saved.map(({ name }) => name)).toEqual(["license.lic"]);
  expect(await saved[0]?.text).toBe(file);
  await page.press("Save it again");
  expect(saved).toHaveLength(2);
  expect(page.named(make)).toHaveLength(1);
  await page.press("Another computer");
  expect(screen.getByLabelText<HTMLTextAreaElement>("The application's request").value).toBe("");
});

test("the application's request can be chosen as a file", async () => {
  const page = await open();
  await page.user.upload(
    screen.getByLabelText("Or drop its file here, or choose it"),
    new File([request], "request.txt"),
  );
  await screen.findByText("Prüfstand");
});

test("text that is no request is not sent, and a valid one afterwards is", async () => {
  const page = await open();
  await page.press("Download license.lic");
  screen.getByText("Paste the request");
  await page.paste("hello");
  await page.press("Download license.lic");
  screen.getByText(/^This isn't a request from the application/);
  expect(page.named(make)).toEqual([]);
  await page.user.upload(
    screen.getByLabelText("Or drop its file here, or choose it"),
    new File([request], "request.txt"),
  );
  await screen.findByText("Prüfstand");
  expect(screen.queryByText(/^This isn't a request from the application/)).toBeNull();
});

for (const [what, answer, sentence] of [
  [
    "refuses",
    refused(400, "That is no request", { code: "invalid_field", field: "request" }),
    "That is no request",
  ],
  ["is asked too often", rateLimited, "Too many requests, please try again in 12 seconds"],
  ["can't be reached", unreachable, "An error occurred while attempting to reach the server"],
] as const) {
  test(`when the shop ${what}, the request stays`, async () => {
    const page = await open({ [make]: answer });
    await page.paste(request);
    await page.press("Download license.lic");
    await screen.findByText(sentence);
    expect(screen.getByLabelText<HTMLTextAreaElement>("The application's request").value).toBe(request);
  });
}

test("a full account removes a computer first, and the request stays", async () => {
  const saved = watchDownloads();
  const page = await open({
    [make]: refused(409, "Your license is already used on as many computers as it allows", {
      code: "places_full",
    }),
    [list]: ok([computer], { next: null }),
    "POST /api/devices/remove": ok(null),
  });
  await page.paste(request);
  await page.press("Download license.lic");
  await screen.findByRole("region", { name: "Make room" });
  await page.press("Remove Ada's desktop");
  page.answers[make] = () => new Response(file);
  await page.user.click(
    within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Remove" }),
  );
  await waitFor(() => expect(screen.queryByRole("region", { name: "Make room" })).toBeNull());
  expect(page.named(make)).toHaveLength(1);
  await page.press("Download license.lic");
  await screen.findByText("license.lic for Prüfstand is in your downloads");
  expect(saved).toHaveLength(1);
});

for (const [devices, sentence] of [
  [
    { used: 0, places: 1 },
    "It counts as one of your computers until the file expires. Your license allows only one, so you can't use another until then.",
  ],
  [
    { used: 2, places: 3 },
    "It counts as one of your computers until the file expires. It's the last of your 3 seats, so you can't add another until then.",
  ],
  [{ used: 1, places: 3 }, "It counts as one of your computers until the file expires."],
] as const) {
  test(`with ${devices.used} of ${devices.places} computers a file tells its price before it is made`, async () => {
    const several = { [list]: ok([computer], { next: null }) };
    const page = await open({ ...several, [me]: ok({ ...ada, devices }) });
    screen.getByText(sentence);
    expect(page.named(make)).toEqual([]);
  });
}

test("without a license, or one that ended meanwhile, the page leads to one", async () => {
  const page = await open({ [make]: refused(403, "This needs a license", { code: "license_required" }) });
  await page.paste(request);
  await page.press("Download license.lic");
  await screen.findByRole("region", { name: "License needed" });
  page.unmount();
  await open({ [me]: ok({ ...ada, active_license: false }) });
  screen.getByRole("link", { name: "Buy a license" });
  expect(screen.queryByLabelText("The application's request")).toBeNull();
});

test("in Settings it opens at a press, and by its link at once", async () => {
  const { user, unmount } = visit("/dashboard/settings", asAda);
  const button = await screen.findByRole("button", { name: "Set up an offline computer" });
  expect(screen.queryByLabelText("The application's request")).toBeNull();
  await user.click(button);
  screen.getByLabelText("The application's request");
  expect(button.getAttribute("aria-expanded")).toBe("true");
  unmount();
  await open();
  screen.getByLabelText("The application's request");
});

test("a request is base64url of a computer's name, system and hash, and nothing else is read", () => {
  expect(requestIn(request)).toEqual({ text: request, label: "Prüfstand", os: "Windows 10" });
  for (const text of [
    "",
    "null",
    base64url([]),
    base64url({ label: "x", os: "y" }),
    base64url({ label: 1, os: "y", hwid_hash: "z" }),
    `${request}!`,
    request.slice(0, -5),
    "A".repeat(20_000),
  ])
    expect([text.slice(0, 40), requestIn(text)]).toEqual([text.slice(0, 40), null]);
});

test("a file that can't be read has no known end", () => {
  expect(endOf(file)?.toISOString()).toBe("2027-01-05T12:00:00.000Z");
  for (const text of ["", "-----BEGIN LICENSE FILE-----", "a.b.c", `x.${base64url({ exp: "soon" })}.y`])
    expect(endOf(text)).toBeNull();
});
