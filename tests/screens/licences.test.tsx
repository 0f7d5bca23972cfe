import { describe, expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { shownWords, statusOf, timeLeftOf, typeOf } from "@/web/screens/dashboard/license/licence-status";
import { asAda, lifetime, ok, refused, toastSaying, unreachable, visit } from "./browser";

const list = "GET /api/licenses/me";
const redeem = "POST /api/licenses/redeem";
const now = new Date("2026-05-31T12:00:00.000Z");

const at = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();

/** Waits for a cell of the table; the offer below it has a term too. */
const inTable = async (text: string) =>
  within(await screen.findByRole("table", { name: "Licenses" })).findByText(text);

describe("a licence's status", () => {
  for (const [changes, standing] of [
    [{ expiry_date: at(-1), disputed: true }, "Expired"],
    [{ expiry_date: at(1), disputed: true }, "Disputed"],
    [{ disputed: true }, "Disputed"],
    [{}, "Active"],
    [{ expiry_date: at(day) }, "Active"],
    [{ active: false }, "Inactive"],
    [{ active: false, redeemed_date: null }, "Inactive"],
  ] as const) {
    test(`is ${standing} with ${JSON.stringify(changes)}`, () => {
      expect(shownWords[statusOf({ ...lifetime, ...changes }, now)].word).toBe(standing);
    });
  }
});

describe("the time left", () => {
  for (const [changes, text] of [
    [{ active: false, redeemed_date: null }, "-"],
    [{ active: false, redeemed_date: null, expiry_date: at(-1) }, "-"],
    [{ expiry_date: at(-1) }, "None"],
    [{ expiry_date: at(0) }, "None"],
    [{}, "Lifetime"],
    [{ active: false, disputed: true }, "-"],
    [{ expiry_date: at(30 * day) }, "30 days left"],
    [{ expiry_date: at(day + 1) }, "1 days left"],
    [{ expiry_date: at(day) }, "24 hours left"],
    [{ expiry_date: at(hour + 1) }, "1 hours left"],
    [{ expiry_date: at(hour) }, "60 minute(s) left"],
    [{ expiry_date: at(5 * minute) }, "5 minute(s) left"],
    [{ active: false, expiry_date: at(2 * day) }, "2 days left"],
    // a subscription's: without the days of grace, until they count
    [{ expiry_date: at(10 * day), renews_at: at(7 * day) }, "7 days left"],
    [{ expiry_date: at(2 * day), renews_at: at(-day) }, "2 days left"],
    // Stripe's period moves on before it is paid
    [{ expiry_date: at(2 * day + hour), renews_at: at(30 * day) }, "2 days left"],
  ] as const) {
    test(`is '${text}' with ${JSON.stringify(changes)}`, () => {
      expect(timeLeftOf({ ...lifetime, ...changes }, now)).toBe(text);
    });
  }
});

test("a type is capitalised, and a missing one is unavailable", () => {
  expect(typeOf(lifetime)).toBe("Premium");
  expect(typeOf({ ...lifetime, type: "" })).toBe("Unavailable");
});

test("the table shows each licence, and highlights those that count", async () => {
  const disputed = { ...lifetime, key: "WISP-71Y5-S1EE-BVJN-C1PM", active: false, disputed: true };
  visit("/dashboard/license", { ...asAda, [list]: ok([lifetime, disputed]) });
  const table = await screen.findByRole("table", { name: "Licenses" });
  const headers = within(table).getAllByRole("columnheader");
  expect(headers.map(({ textContent }) => textContent)).toEqual(["Status", "Type", "Key", "Time Left"]);
  const [, first, second] = within(table).getAllByRole("row");
  expect(first?.textContent).toBe("ActivePremiumWISP-61Y5-S1EE-BVJN-C1PMLifetime");
  expect(first?.hasAttribute("data-highlighted")).toBe(true);
  expect(second?.textContent).toStartWith("Disputed");
  expect(second?.hasAttribute("data-highlighted")).toBe(false);
});

test("an empty list of licences says so", async () => {
  visit("/dashboard/license", { ...asAda, [list]: ok([]) });
  await screen.findByText("No active licenses found");
});

test("licences that can't be fetched show an error and a retry button", async () => {
  const { user, answers } = visit("/dashboard/license", { ...asAda, [list]: unreachable });
  const toast = await toastSaying("Failed to fetch licenses, an error occured");
  expect(toast.dataset.type).toBe("error");
  expect(toast.dataset.xPosition).toBe("left");
  answers[list] = ok([lifetime]);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await inTable("Lifetime");
});

describe("a licence's history", () => {
  const history = "GET /api/licenses/history";
  const example = {
    key: lifetime.key,
    events: [
      { date: new Date(2026, 4, 1, 9, 0).toISOString(), event: "purchased" },
      { date: new Date(2026, 4, 1, 9, 5).toISOString(), event: "redeemed" },
      { date: new Date(2026, 4, 31, 16, 5).toISOString(), event: "disputed" },
    ],
  };

  test("lists its events, oldest first", async () => {
    visit("/dashboard/license", { ...asAda, [list]: ok([lifetime]), [history]: ok([example]) });
    const events = await screen.findByRole("list", { name: `History of ${lifetime.key}` });
    expect(
      within(events)
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent),
    ).toEqual([
      "PurchasedMay 1, 2026 at 9:00 AM",
      "RedeemedMay 1, 2026 at 9:05 AM",
      "Payment disputedMay 31, 2026 at 4:05 PM",
    ]);
  });

  test("that can't be fetched leaves the list and offers a retry", async () => {
    const { user, answers } = visit("/dashboard/license", {
      ...asAda,
      [list]: ok([lifetime]),
      [history]: unreachable,
    });
    await screen.findByText("An error occurred while attempting to reach the server");
    await inTable("Lifetime");
    answers[history] = ok([example]);
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByText("Payment disputed");
  });
});

describe("redeeming", () => {
  const open = async (answers = {}) => {
    const page = visit("/dashboard/license", { ...asAda, [list]: ok([]), ...answers });
    const box = await screen.findByLabelText<HTMLInputElement>("Redeem a license key");
    const send = async (key: string) => {
      if (key) await page.user.type(box, key);
      await page.user.click(screen.getByRole("button", { name: "Redeem" }));
    };
    return { ...page, box, send };
  };

  test("an empty box is highlighted and nothing is sent", async () => {
    const { box, send, named } = await open();
    expect(box.placeholder).toBe("WISP-XXXX-XXXX-XXXX-XXXX");
    await send("");
    expect(box.getAttribute("aria-invalid")).toBe("true");
    expect(named(redeem)).toEqual([]);
  });

  test("a lifetime key never expires, and the list is fetched again", async () => {
    const { box, send, answers, named } = await open({ [redeem]: ok({ expiry_date: null }) });
    answers[list] = ok([lifetime]);
    await send("WISP-61Y5-S1EE-BVJN-C1PM");
    await screen.findByText("Successfully redeemed key, expires never");
    await inTable("Lifetime");
    expect(box.value).toBe("");
    expect(named(redeem)[0]?.body).toEqual({
      key: "WISP-61Y5-S1EE-BVJN-C1PM",
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
  });

  test("a timed key says when it expires", async () => {
    const expires = new Date(2026, 4, 31, 16, 5).toISOString();
    const { send } = await open({ [redeem]: ok({ expiry_date: expires }) });
    await send("x");
    await screen.findByText("Successfully redeemed key, expires May 31, 2026 at 4:05 PM");
  });

  test("the link of a mailed key fills in the box, and one that no longer works says so", async () => {
    const exchange = "POST /api/payments/mailed";
    const key = "WISP-61Y5-S1EE-BVJN-C1PM";
    const page = visit("/dashboard/license#the.token", {
      ...asAda,
      [exchange]: ok({ email: "ada@example.com", key }),
    });
    const box = await screen.findByLabelText<HTMLInputElement>("Redeem a license key");
    await waitFor(() => expect(box.value).toBe(key));
    await waitFor(() => expect(location.hash).toBe("#redeem"));
    page.unmount();
    const sentence = "This link was used, has expired or is incomplete";
    visit("/dashboard/license#old.token", {
      ...asAda,
      [exchange]: refused(400, sentence, { code: "link_invalid" }),
    });
    await screen.findByText(`${sentence}. Type the key from the email instead.`);
  });

  test("a missing answer is reported", async () => {
    const { send } = await open({ [redeem]: unreachable });
    await send("nope");
    await screen.findByText("An error occured, failed to get a response");
  });
});
