import { describe, expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { day, hour, minute, second } from "@/contract/vocabulary/time";
import type { OwnDevice } from "@/contract/wire/own-devices";
import { seatsText, removalWait } from "@/web/parts/devices/seats";
import {
  ada,
  type Answers,
  asAda,
  computer,
  ok,
  rateLimited,
  refused,
  toastSaying,
  unreachable,
  visit,
} from "./browser";

const me = "GET /api/user/me";
const list = "GET /api/devices";
const remove = "POST /api/devices/remove";
const rename = "POST /api/devices/rename";

const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();

const desktop: OwnDevice = { ...computer, first_seen: ago(90 * day), last_seen: ago(hour) };
const laptop: OwnDevice = {
  ...desktop,
  id: "laptop",
  label: "Laptop",
  os: "macOS 15",
  removable_at: ago(-12 * day + hour),
};
const lab: OwnDevice = {
  ...desktop,
  id: "lab",
  label: "Lab",
  version: null,
  removable_at: ago(-20 * day + hour),
  offline_until: ago(-20 * day + hour),
};
const old: OwnDevice = { ...desktop, id: "old", label: "Old one", active: false };

const holding = (devices: OwnDevice[], places = 3): Answers => ({
  ...asAda,
  [me]: ok({ ...ada, hwid_set: devices.length > 0, devices: { used: devices.length, places } }),
  [list]: ok(devices, { next: null }),
});

async function open(answers: Answers, path = "/dashboard/settings") {
  const page = visit(path, answers);
  const card = await screen.findByRole("region", { name: "Computers" });
  const row = async (name: string) =>
    within((await within(card).findByRole("heading", { name })).closest("li") ?? card);
  return { ...page, card: within(card), row };
}

test("with one seat, Settings has the hardware ID as before and asks for no list", async () => {
  const page = visit("/dashboard/settings", holding([desktop], 1));
  await screen.findByRole("region", { name: "Hardware ID" });
  screen.getByText("Attatched");
  expect(screen.queryByRole("region", { name: "Computers" })).toBeNull();
  expect(page.named(list)).toEqual([]);
});

test("with several seats, Settings lists each computer with its dates, and how many the license allows", async () => {
  const page = await open(holding([desktop, laptop]));
  await page.card.findByText("2 of 3 computers");
  const row = await page.row("Ada's desktop");
  row.getByText("Windows 11, version 2.4.0");
  row.getByText(/^First seen \w{3} \d+, \d{4} at .*, last seen \w{3} \d+, \d{4} at /);
  expect(screen.queryByRole("region", { name: "Hardware ID" })).toBeNull();
});

test("the account page shows the same list", async () => {
  const page = await open(holding([desktop, laptop]), "/dashboard/account#hwid");
  await page.row("Laptop");
  page.card.getByRole("button", { name: "Re-Check" });
});

test("without a computer, the list says how the first one comes", async () => {
  const page = await open(holding([]));
  await page.card.findByText("The next computer you sign in on is added automatically.");
  page.card.getByText("0 of 3 computers");
});

test("several computers are a list also when there is one seat left, and the others are marked", async () => {
  const page = await open(holding([desktop, old], 1));
  await page.card.findByText("2 computers, 1 allowed");
  const row = await page.row("Old one");
  row.getByText("Inactive");
  row.getByText(/no longer runs there: your license now allows fewer computers\.$/);
  expect((await page.row("Ada's desktop")).queryByText("Inactive")).toBeNull();
});

describe("Remove", () => {
  test("asks, and says what happens", async () => {
    const page = await open({ ...holding([desktop, laptop]), [remove]: ok(null) });
    await page.user.click(
      (await page.row("Ada's desktop")).getByRole("button", { name: "Remove Ada's desktop" }),
    );
    const dialog = await screen.findByRole("alertdialog", { name: "Remove Ada's desktop?" });
    within(dialog).getByText(
      /stops working there, and you can add another computer right away\. In any 30 days, you can remove as many computers as your license allows\.$/,
    );
    page.answers[list] = ok([laptop], { next: null });
    page.answers[me] = ok({ ...ada, devices: { used: 1, places: 3 } });
    await page.user.click(within(dialog).getByRole("button", { name: "Remove" }));
    await toastSaying("Removed Ada's desktop");
    expect(page.sent(remove)).toEqual([{ id: "desktop" }]);
    await page.card.findByText("1 of 3 computers");
    await waitFor(() => expect(page.card.queryByText("Ada's desktop")).toBeNull());
  });

  test("waits as long as the seat does, and says until when", async () => {
    const page = await open(holding([laptop]));
    const row = await page.row("Laptop");
    const button = row.getByRole<HTMLButtonElement>("button", { name: "Remove in 12 days" });
    expect(button.disabled).toBe(true);
    row.getByText(/^You can remove it on \w{3} \d+, \d{4} at \d+:\d\d [AP]M\.$/);
  });

  test("waits for a license file, which the row names", async () => {
    const page = await open(holding([lab, desktop]));
    const row = await page.row("Lab");
    row.getByText(/^Offline until \w{3} \d+, \d{4}$/);
    row.getByText("Windows 11, never online");
    row.getByText(/^You can remove it on .*, when its offline file expires\.$/);
    expect(row.getByRole<HTMLButtonElement>("button", { name: "Remove in 20 days" }).disabled).toBe(true);
  });

  test("of none on a full account leads to support, and not where there is room", async () => {
    const page = await open(holding([laptop, lab], 2));
    const ask = await page.card.findByRole("link", { name: "Ask support" });
    expect(ask.getAttribute("href")).toBe("/dashboard/tickets?new=device");
    page.unmount();
    const other = await open(holding([laptop, lab], 3));
    await other.row("Lab");
    expect(other.card.queryByRole("link", { name: "Ask support" })).toBeNull();
  });

  test("makes no room where a computer has no seat, and says so", async () => {
    const page = await open(holding([desktop, old], 1));
    await page.user.click((await page.row("Old one")).getByRole("button", { name: "Remove Old one" }));
    const dialog = await screen.findByRole("alertdialog", { name: "Remove Old one?" });
    within(dialog).getByText(/Removing it doesn't make room for another\.$/);
  });

  for (const [what, answer, sentence] of [
    [
      "refused in the server's words",
      refused(409, "This computer can be removed on Dec 3, 2026 (in 4 days)", { code: "hwid_cooldown" }),
      "This computer can be removed on Dec 3, 2026 (in 4 days)",
    ],
    [
      "refused for a computer that was removed elsewhere",
      refused(404, "This account has no such computer", { code: "device_unknown" }),
      "This account has no such computer",
    ],
    ["without an answer", unreachable, "An error occurred while attempting to reach the server"],
    ["too often", rateLimited, "Too many requests, please try again in 12 seconds"],
  ] as const) {
    test(`is ${what}, and the list is fetched again`, async () => {
      const page = await open({ ...holding([desktop, laptop]), [remove]: answer });
      await page.user.click((await page.row("Ada's desktop")).getByRole("button", { name: /^Remove / }));
      const dialog = await screen.findByRole("alertdialog");
      const before = page.named(list).length;
      await page.user.click(within(dialog).getByRole("button", { name: "Remove" }));
      await toastSaying(sentence);
      await waitFor(() => expect(page.named(list).length).toBeGreaterThan(before));
    });
  }
});

describe("Rename", () => {
  const openDialog = async (answers: Answers) => {
    const page = await open({ ...holding([desktop, laptop]), ...answers });
    await page.user.click((await page.row("Laptop")).getByRole("button", { name: "Rename Laptop" }));
    const field = await screen.findByLabelText<HTMLInputElement>("Name");
    expect(field.value).toBe("Laptop");
    await page.user.clear(field);
    return { ...page, field, save: () => page.user.click(screen.getByRole("button", { name: "Save" })) };
  };

  test("gives a computer a name", async () => {
    const page = await openDialog({ [rename]: ok(null) });
    await page.save();
    screen.getByText("Enter a name");
    await page.user.type(page.field, "At my parents'");
    page.answers[list] = ok([desktop, { ...laptop, label: "At my parents'" }], { next: null });
    await page.save();
    await toastSaying("Renamed to At my parents'");
    expect(page.sent(rename)).toEqual([{ id: "laptop", label: "At my parents'" }]);
    await page.row("At my parents'");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("shows a refusal in the dialog, which keeps what was typed", async () => {
    const page = await openDialog({
      [rename]: refused(404, "This account has no such computer", { code: "device_unknown" }),
    });
    await page.user.type(page.field, "Another");
    await page.save();
    expect((await screen.findByRole("alert")).textContent).toBe("This account has no such computer");
    expect(page.field.value).toBe("Another");
  });
});

test("a list that doesn't load says so and can be asked for again", async () => {
  const page = await open({ ...holding([desktop, laptop]), [list]: unreachable });
  await page.card.findByText("An error occurred while attempting to reach the server");
  page.answers[list] = ok([desktop], { next: null });
  await page.user.click(page.card.getByRole("button", { name: "Try again" }));
  await page.row("Ada's desktop");
});

test("further computers come with Show more", async () => {
  const page = await open({
    ...holding([desktop, laptop], 40),
    [list]: ({ query }) =>
      Response.json({
        status: 200,
        data: query.get("before") === "place" ? [old] : [desktop, laptop],
        next: query.get("before") === "place" ? null : "place",
      }),
  });
  await page.row("Laptop");
  await page.user.click(page.card.getByRole("button", { name: "Show more" }));
  await page.row("Old one");
});

for (const [used, places, text] of [
  [0, 1, "0 of 1 computer"],
  [2, 3, "2 of 3 computers"],
  [3, 1, "3 computers, 1 allowed"],
  [2, 0, "2 computers, 0 allowed"],
] as const) {
  test(`${used} computers and ${places} seats read ${text}`, () => {
    expect(seatsText({ used, places })).toBe(text);
  });
}

test("a computer whose time has come can be removed, whatever its dates were", () => {
  const now = new Date();
  expect(removalWait({ removable_at: null, offline_until: null }, now)).toBeNull();
  expect(removalWait({ removable_at: now.toISOString(), offline_until: null }, now)).toBeNull();
  expect(removalWait(laptop, now)?.left).toBe("12 days");
});

test("thirty days that begin now are not 31, although a page's time is a little older or its clock is behind", () => {
  const now = new Date();
  const from = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();
  const leftUntil = (at: string, fileEnds: string | null = null) =>
    removalWait({ removable_at: at, offline_until: fileEnds }, now)?.left;
  expect(leftUntil(from(30 * day + 40 * second))).toBe("30 days");
  expect(leftUntil(from(30 * day + 3 * hour))).toBe("30 days");
  expect(leftUntil(from(day + 40 * second))).toBe("1 day");
  expect(leftUntil(from(hour + 40 * second))).toBe("1 hour");
  expect(leftUntil(from(29 * day + 2 * hour))).toBe("30 days");
  // a license file may run for longer
  const [ends, later] = [from(365 * day + 5 * minute), from(90 * day)];
  expect(leftUntil(ends, ends)).toBe("365 days");
  expect(leftUntil(later, later)).toBe("90 days");
});
