import { describe, expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { day, minute } from "@/contract/vocabulary/time";
import { destinationOf } from "@/web/parts/destination";
import { waitingCode } from "@/web/parts/devices/waiting-code";
import { formatDay } from "@/web/parts/format-time";
import {
  ada,
  type Answers,
  asAda,
  computer,
  limitedFor,
  ok,
  premium,
  rateLimited,
  refused,
  signedOut,
  unreachable,
  visit,
} from "./browser";

const me = "GET /api/user/me";
const find = "GET /api/devices/request";
const decide = "POST /api/devices/request";
const list = "GET /api/devices";

const from = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

const request = () => ({
  label: "Studio",
  os: "Windows 11",
  version: "2.4.0",
  address: "203.0.113.7",
  created_at: from(-minute),
  expires_at: from(14 * minute),
});
const signedIn = (answers: Answers = {}): Answers => ({
  ...asAda,
  [find]: ok(request()),
  [decide]: ok(null),
  ...answers,
});

const unknown = refused(404, "That code is unknown, was already used or has expired", {
  code: "device_request_unknown",
});
const full = refused(409, "Your license is already used on as many computers as it allows", {
  code: "places_full",
});

async function open(answers: Answers = {}, path = "/device?user_code=BDWP-HQRS") {
  const page = visit(path, signedIn(answers));
  const press = async (name: string) => page.user.click(await screen.findByRole("button", { name }));
  return { ...page, press };
}

/** Goes on to the question. */
async function review(answers: Answers = {}) {
  const page = await open(answers);
  await page.press("Continue");
  await screen.findByRole("heading", { name: "Is this your computer?" });
  return page;
}

describe("the code", () => {
  test("is typed in any case, with spaces or dashes, and sent as the application shows it", async () => {
    const page = await open({}, "/device");
    await page.user.type(await screen.findByLabelText("Code"), "bdwp hqrs");
    await page.press("Continue");
    await screen.findByRole("heading", { name: "Is this your computer?" });
    expect(page.named(find).map(({ query }) => query.get("user_code"))).toEqual(["BDWP-HQRS"]);
    // so that the way to a license and back doesn't lose it
    await waitFor(() => expect(location.search).toBe("?user_code=BDWP-HQRS"));
    expect(page.named(find)).toHaveLength(1);
  });

  test("that can't be one is not sent", async () => {
    const page = await open({}, "/device");
    await page.press("Continue");
    screen.getByText("Enter the code");
    await page.user.type(screen.getByLabelText("Code"), "AEIO-UAEI");
    await page.press("Continue");
    screen.getByText("A code has eight letters and no vowels, such as BDWP-HQRS");
    expect(page.named(find)).toEqual([]);
  });

  test("that is unknown or has ended says so at the field", async () => {
    const page = await open({ [find]: unknown });
    await page.press("Continue");
    await screen.findByText(/^No computer is waiting with this code\./);
    expect(screen.getByLabelText("Code").getAttribute("aria-invalid")).toBe("true");
  });

  test("can't be tried any more after too many wrong ones", async () => {
    const page = await open({ [find]: limitedFor(720, "Too many requests, please try again in 12 minutes") });
    await page.press("Continue");
    expect((await screen.findByRole("alert")).textContent).toBe(
      "Too many requests, please try again in 12 minutes",
    );
    const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Try again in 12 min" });
    expect(button.disabled).toBe(true);
  });

  test("stays when the shop can't be reached", async () => {
    const page = await open({ [find]: unreachable });
    await page.press("Continue");
    await screen.findByText("An error occurred while attempting to reach the server");
    expect(screen.getByLabelText<HTMLInputElement>("Code").value).toBe("BDWP-HQRS");
  });
});

describe("the question", () => {
  test("shows the code, the computer, its system, the network and the time", async () => {
    await review();
    screen.getByText("BDWP-HQRS");
    for (const [name, value] of [
      ["Computer", "Studio"],
      ["System", "Windows 11"],
      ["Application", "Version 2.4.0"],
      ["Network", "203.0.113.7"],
    ] as const)
      expect(screen.getByText(name).nextElementSibling?.textContent).toBe(value);
    expect(screen.getByText("Requested").nextElementSibling?.textContent).toMatch(/^\w{3} \d+, \d{4} at /);
    screen.getByText(/your computer is showing this code right now and you started this yourself/);
    screen.getByText(/If someone sent you this code or a link to this page, deny it/);
    screen.getByText("This uses the only seat on your license.");
  });

  test("is answered with Approve, which says what was given and how to undo it", async () => {
    const page = await review();
    await page.press("Approve");
    await screen.findByRole("heading", { name: "Studio is approved" });
    screen.getByText(/runs on ada's license/);
    screen.getByText(/To undo this, remove the computer in your settings/);
    expect(screen.getByRole("link", { name: "See your computers" }).getAttribute("href")).toBe(
      "/dashboard/settings#devices",
    );
    expect(page.sent(decide)).toEqual([{ user_code: "BDWP-HQRS", approve: true }]);
  });

  test("is answered with Deny, and nobody gets anything", async () => {
    const page = await review();
    await page.press("Deny");
    await screen.findByRole("heading", { name: "Denied" });
    expect(page.sent(decide)).toEqual([{ user_code: "BDWP-HQRS", approve: false }]);
    await page.press("Enter another code");
    expect((await screen.findByLabelText<HTMLInputElement>("Code")).value).toBe("");
    expect(location.search).toBe("");
  });

  test("can't be answered twice", async () => {
    const page = await review({ [decide]: unknown });
    await page.press("Approve");
    await screen.findByRole("heading", { name: "This code is no longer valid" });
    expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
  });

  test("can't be answered once its time is over", async () => {
    const page = await open({ [find]: ok({ ...request(), expires_at: from(-1) }) });
    await page.press("Continue");
    await screen.findByRole("heading", { name: "This code has expired" });
    await page.press("Enter another code");
    await screen.findByLabelText("Code");
  });

  for (const [what, answer, sentence] of [
    ["the shop can't be reached", unreachable, "An error occurred while attempting to reach the server"],
    [
      "the computer is blocked",
      refused(403, "This computer is blocked", { code: "blocked" }),
      "This computer is blocked",
    ],
    ["it is asked too often", rateLimited, "Too many requests, please try again in 12 seconds"],
  ] as const) {
    test(`stays when ${what}`, async () => {
      const page = await review({ [decide]: answer });
      await page.press("Approve");
      expect((await screen.findByRole("alert")).textContent).toBe(sentence);
      screen.getByRole("button", { name: "Approve" });
    });
  }
});

describe("a full account", () => {
  test("that may remove nothing yet says from when it may, and can still deny", async () => {
    const page = await review({
      [decide]: full,
      [list]: ok([{ ...computer, removable_at: from(11.5 * day) }], { next: null }),
    });
    await page.press("Approve");
    const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Remove in 12 days" });
    expect(button.disabled).toBe(true);
    screen.getByText(/^You can remove it on /);
    expect(screen.queryByText(/^Remove one/)).toBeNull();
    page.answers[decide] = ok(null);
    await page.press("Deny");
    await screen.findByRole("heading", { name: "Denied" });
  });

  test("of which none can be removed says from when one can, and leads to support, and to the next larger offer", async () => {
    const held = { ...computer, removable_at: from(20 * day) };
    const first = from(3 * day);
    const page = await review({
      [me]: ok({ ...ada, devices: { used: 2, places: 2 } }),
      [decide]: full,
      [list]: ok([held, { ...held, id: "laptop", label: "Laptop", removable_at: first }], { next: null }),
      "GET /api/offers": ok([
        premium,
        { ...premium, id: "lab", name: "Wisp Lab", devices: 10 },
        { ...premium, id: "studio", name: "Wisp Studio", devices: 3 },
        { ...premium, id: "none", name: "Of no use", devices: 3, adds: false },
      ]),
    });
    await page.press("Approve");
    const room = within(await screen.findByRole("region", { name: "Make room" }));
    room.getByText("Your license is already on 2 computers");
    await room.findByText(`None of them can be removed before ${formatDay(new Date(first))}.`);
    expect(room.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Get Wisp Studio: 3 computers", "/dashboard/license#buy"],
      ["Ask support", "/dashboard/tickets?new=device"],
    ]);
    await page.user.click(room.getByRole("link", { name: /^Get Wisp Studio/ }));
    await waitFor(() => expect(location.pathname).toBe("/dashboard/license"));
    expect((await screen.findByRole<HTMLInputElement>("radio", { name: /^Wisp Studio/ })).checked).toBe(true);
    expect(waitingCode.recall(new Date())?.code).toBe("BDWP-HQRS");
  });

  test("whose only computer has to stay speaks of that one, and of no offer that isn't larger", async () => {
    const removable_at = from(30 * day);
    const page = await review({
      [decide]: full,
      [list]: ok([{ ...computer, removable_at }], { next: null }),
    });
    await page.press("Approve");
    const room = within(await screen.findByRole("region", { name: "Make room" }));
    await room.findByText(`It can't be removed before ${formatDay(new Date(removable_at))}.`);
    expect(room.getAllByRole("link").map(({ textContent }) => textContent)).toEqual(["Ask support"]);
  });
});

const licencePage: Answers = {
  "GET /api/licenses/me": ok([], { next: null }),
  "GET /api/licenses/unused": ok([]),
  "GET /api/offers": ok([]),
};

describe("an account without a license", () => {
  test("is led to one, and can still deny", async () => {
    const page = await review({
      [me]: ok({ ...ada, active_license: false, devices: { used: 0, places: 0 } }),
    });
    const needed = within(screen.getByRole("region", { name: "License needed" }));
    expect(needed.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
      "/dashboard/license#buy",
      "/dashboard/license",
    ]);
    expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
    await page.press("Deny");
    await screen.findByRole("heading", { name: "Denied" });
  });

  test("finds back to the code from the License page once it has one", async () => {
    const page = await review({
      ...licencePage,
      [me]: ok({ ...ada, active_license: false, devices: { used: 0, places: 0 } }),
    });
    await page.user.click(screen.getByRole("link", { name: "Redeem a key" }));
    await screen.findByRole("heading", { name: "License" });
    expect(screen.queryByRole("region", { name: "Waiting computer" })).toBeNull();
    page.answers["POST /api/licenses/redeem"] = ok({ expiry_date: null });
    page.answers[me] = ok(ada);
    await page.user.type(await screen.findByLabelText("Redeem a license key"), "WISP-AAAA-BBBB-CCCC-DDDD");
    await page.press("Redeem");
    await page.user.click(await screen.findByRole("link", { name: "Continue with code BDWP-HQRS" }));
    await page.press("Continue");
    await page.press("Approve");
    await screen.findByRole("heading", { name: "Studio is approved" });
    expect(waitingCode.recall(new Date())).toBeNull();
  });

  test("is led back to no code that has expired", () => {
    const now = new Date();
    waitingCode.remember("BDWP-HQRS", from(minute));
    expect(waitingCode.recall(now)?.code).toBe("BDWP-HQRS");
    expect(waitingCode.recall(new Date(now.getTime() + 2 * minute))).toBeNull();
    waitingCode.forget();
    expect(waitingCode.recall(now)).toBeNull();
  });

  test("is led to one too if its license ended meanwhile", async () => {
    const page = await review({
      [decide]: refused(403, "This needs an account with a license", { code: "license_required" }),
    });
    await page.press("Approve");
    await screen.findByRole("region", { name: "License needed" });
  });
});

describe("a visitor who is not signed in", () => {
  const leaveLogin = async (go: (page: Awaited<ReturnType<typeof open>>) => Promise<void>) => {
    const page = await open({ [me]: signedOut });
    await screen.findByRole("heading", { name: "Welcome back" });
    await go(page);
    const field = await screen.findByLabelText<HTMLInputElement>("Code");
    expect([location.pathname, location.search, field.value]).toEqual([
      "/device",
      "?user_code=BDWP-HQRS",
      "BDWP-HQRS",
    ]);
    expect(page.named(find)).toEqual([]);
  };

  test("comes back after signing in", () =>
    leaveLogin(async (page) => {
      page.answers["POST /api/auth/login"] = ok({});
      page.answers[me] = ok(ada);
      await page.user.type(screen.getByLabelText("Username"), "ada");
      await page.user.type(screen.getByLabelText("Password"), "ada-likes-engines");
      await page.press("Login");
    }));

  test("comes back after registering", () =>
    leaveLogin(async (page) => {
      page.answers["POST /api/auth/register"] = ok({});
      page.answers[me] = ok(ada);
      await page.user.click(screen.getByRole("link", { name: "Create an account" }));
      await screen.findByRole("heading", { name: "Create your account" });
      for (const [label, text] of [
        ["Username", "ada"],
        ["Email", "ada@example.com"],
        ["Password", "ada-likes-engines"],
        ["License key", "WISP-AAAA-BBBB-CCCC-DDDD"],
      ] as const)
        await page.user.type(screen.getByLabelText(label), text);
      await page.press("Register");
    }));

  test("comes back to /device, and to no other site or path", () => {
    expect(destinationOf({ from: "/device?user_code=BDWP-HQRS" })).toBe("/device?user_code=BDWP-HQRS");
    expect(destinationOf({ from: "/devices" })).toBe("/dashboard");
    expect(destinationOf({ from: "//elsewhere.test/device" })).toBe("/dashboard");
  });
});

test("an account that can't be read says so and can be asked for again", async () => {
  const page = await open({ [me]: unreachable });
  await screen.findByText("An error occurred while attempting to reach the server");
  page.answers[me] = ok(ada);
  await page.press("Try again");
  await screen.findByLabelText("Code");
});
