import { describe, expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { ownWords, paymentWords } from "@/contract/vocabulary/state-words";
import { paymentStatuses } from "@/contract/vocabulary/statuses";
import type { Payment } from "@/contract/wire/payments";
import { csvOf } from "@/web/screens/dashboard/payments/csv";
import { methodText, reasonOf } from "@/web/screens/dashboard/payments/payment-table";
import { shortId } from "@/web/parts/payment/short-id";
import {
  asAda,
  ok,
  purchase,
  rateLimited,
  silence,
  toastSaying,
  unreachable,
  visit,
  watchDownloads,
} from "./browser";

const list = "GET /api/payments";

const payment: Payment = {
  id: "p1",
  status: "succeeded",
  failure_reason: null,
  payment_method: "card",
  license_key: "WISP-61Y5-S1EE-BVJN-C1PM",
  created_at: new Date(2026, 4, 31, 16, 5).toISOString(),
  payment_id: "pi_1",
  bill: purchase.bill,
  offer: "premium",
  offer_name: "Wisp Premium",
  level: { id: "premium", name: "Wisp Premium" },
  quantity: 1,
  license_keys: ["WISP-61Y5-S1EE-BVJN-C1PM"],
  unusable_keys: [],
  more_keys: 0,
  invoice_url: null,
  subscription: null,
  renewal: false,
  gift: null,
};
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ ...payment, id: `p${at + 1}`, payment_id: `pi_${at + 1}` }));

const rows = async () => {
  const [, ...rest] = within(await screen.findByRole("table", { name: "Payments" })).getAllByRole("row");
  return rest;
};

test("every status has its colour", () => {
  const colours = paymentStatuses.map((status) => [status, ownWords(paymentWords[status]).tone]);
  expect(Object.fromEntries(colours)).toEqual({
    processing: "warning",
    succeeded: "good",
    failed: "bad",
    expired: "bad",
    disputed: "disputed",
    refunded: "neutral",
  });
});

test("the provider's ids for methods are shown as Unknown", () => {
  const { bill } = payment;
  expect(methodText({ payment_method: "card", bill })).toBe("Card");
  expect(methodText({ payment_method: "us_bank_account", bill })).toBe("Us bank account");
  expect(methodText({ payment_method: "pm_1NxYz", bill })).toBe("Unknown");
  expect(methodText({ payment_method: null, bill })).toBe("Unknown");
  expect(methodText({ payment_method: null, bill: { ...bill, outside: 300 } })).toBe("Paid elsewhere");
});

test("a success is explained, a failure gives its reason", () => {
  expect(reasonOf(payment)).toBe("Transaction completed successfully.");
  const failed = { ...payment, status: "failed", failure_reason: "Your card was declined." } as const;
  expect(reasonOf(failed)).toBe("Your card was declined.");
});

test("a long id is shortened to its end", () => {
  expect(shortId("01a1fd74-48f7-7688-877e-15f3c5b2c5ea")).toBe("…15f3c5b2c5ea");
  expect(shortId("p1")).toBe("p1");
});

test("the table shows each payment", async () => {
  visit("/dashboard/payments", { ...asAda, [list]: ok([payment]) });
  const [row] = await rows();
  const headers = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
  expect(headers).toEqual(["ID", "Status", "Payment Method", "License", "Order", "Created At"]);
  const cells = row ? within(row).getAllByRole("cell") : [];
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    "p1",
    "Succeeded",
    "Card",
    "WISP-61Y5-S1EE-BVJN-C1PM",
    expect.stringMatching(/^Wisp Premium.*5\.00$/),
    "May 31, 2026 at 4:05 PM",
  ]);
});

test("the status tooltip gives the reason", async () => {
  const { user } = visit("/dashboard/payments", { ...asAda, [list]: ok([payment]) });
  await user.hover(await screen.findByText("Succeeded"));
  expect((await screen.findByRole("tooltip")).textContent).toBe("Transaction completed successfully.");
});

describe("pages", () => {
  test("hold five payments each", async () => {
    const { user } = visit("/dashboard/payments", { ...asAda, [list]: ok(many(11)) });
    expect(await rows()).toHaveLength(5);
    screen.getByText("1–5 of 11");
    await user.click(screen.getByRole("link", { name: "Go to next page" }));
    expect((await rows()).map((row) => within(row).getAllByRole("cell")[0]?.textContent)).toEqual([
      "p6",
      "p7",
      "p8",
      "p9",
      "p10",
    ]);
    await user.click(screen.getByRole("link", { name: "Page 3" }));
    expect(await rows()).toHaveLength(1);
    expect(screen.getByRole("link", { name: "Page 3" }).getAttribute("aria-current")).toBe("page");
    expect(screen.getByRole("link", { name: "Go to next page" }).getAttribute("aria-disabled")).toBe("true");
    expect(location.search).toBe("?page=3");
    await user.click(screen.getByRole("link", { name: "Go to previous page" }));
    expect(await rows()).toHaveLength(5);
  });

  for (const [asked, shown] of [
    ["2", "6–10 of 11"],
    ["99", "11–11 of 11"],
    ["-3", "1–5 of 11"],
    ["x", "1–5 of 11"],
  ] as const) {
    test(`follow the URL: ?page=${asked} shows ${shown}`, async () => {
      visit(`/dashboard/payments?page=${asked}`, { ...asAda, [list]: ok(many(11)) });
      await screen.findByText(shown);
    });
  }

  /** A server with so many payments, a hundred a page. */
  const serving = (count: number) => {
    const all = many(count);
    return ({ query }: { query: URLSearchParams }) => {
      const from = Number(query.get("before") ?? 0);
      const next = from + 100 < count ? String(from + 100) : null;
      return Response.json({ status: 200, data: all.slice(from, from + 100), next });
    };
  };
  const firstCell = async () =>
    within((await rows())[0] ?? document.body).getAllByRole("cell")[0]?.textContent;

  test("continue beyond the first hundred, which are all that is loaded at first", async () => {
    const { user, named } = visit("/dashboard/payments?page=19", { ...asAda, [list]: serving(204) });
    await screen.findByText("91–95 of 100+");
    expect(named(list)).toHaveLength(1);
    await user.click(screen.getByRole("link", { name: "Go to next page" }));
    await screen.findByText("96–100 of 200+");
    expect(named(list).map(({ query }) => query.get("before"))).toEqual([null, "100"]);
    await user.click(screen.getByRole("link", { name: "Go to next page" }));
    await screen.findByText("101–105 of 200+");
    expect(await firstCell()).toBe("p101");
  });

  test("are loaded up to the one that the URL names, and end where the payments do", async () => {
    visit("/dashboard/payments?page=41", { ...asAda, [list]: serving(204) });
    await screen.findByText("201–204 of 204");
    expect(await firstCell()).toBe("p201");
    expect(screen.getByRole("link", { name: "Go to next page" }).getAttribute("aria-disabled")).toBe("true");
  });

  test("that can't exist are not searched for one request after another", async () => {
    const { named } = visit("/dashboard/payments?page=999999", { ...asAda, [list]: serving(10_000) });
    await screen.findByText("1–5 of 100+");
    expect(named(list)).toHaveLength(1);
  });

  test("say so if the next payments can't be fetched, and try again", async () => {
    let away = false;
    const served = serving(204);
    const { user } = visit("/dashboard/payments?page=38", {
      ...asAda,
      [list]: (call, answers) => (away ? unreachable(call, answers) : served(call)),
    });
    await screen.findByText("186–190 of 200+");
    away = true;
    await user.click(screen.getByRole("link", { name: "Page 40" }));
    await screen.findByText("196–200 of 200+");
    await user.click(screen.getByRole("link", { name: "Go to next page" }));
    const again = await screen.findByRole("button", { name: "Try again" });
    away = false;
    await user.click(again);
    await screen.findByText("201–204 of 204");
  });

  test("have no navigation when one is enough", async () => {
    visit("/dashboard/payments", { ...asAda, [list]: ok(many(5)) });
    expect(await rows()).toHaveLength(5);
    expect(screen.queryByRole("navigation", { name: "Pagination" })).toBeNull();
  });
});

test("a row links to its transaction, also by keyboard", async () => {
  const verify = { "GET /api/stripe/verify-payment": silence };
  const { user } = visit("/dashboard/payments", { ...asAda, ...verify, [list]: ok([payment]) });
  const link = await screen.findByRole("link", { name: "p1" });
  expect(link.getAttribute("href")).toBe("/dashboard/transaction?payment_intent=pi_1");
  await user.click(screen.getByText("May 31, 2026 at 4:05 PM"));
  expect(location.pathname + location.search).toBe("/dashboard/transaction?payment_intent=pi_1");
});

test("a payment without an intent has no link", async () => {
  const { user } = visit("/dashboard/payments", { ...asAda, [list]: ok([{ ...payment, payment_id: null }]) });
  await user.click(await screen.findByText("May 31, 2026 at 4:05 PM"));
  expect(location.pathname).toBe("/dashboard/payments");
});

test("an empty list of payments says so", async () => {
  visit("/dashboard/payments", { ...asAda, [list]: ok([]) });
  await screen.findByText("No previous payment transactions found");
});

test("skeletons are shown until the payments arrive", async () => {
  visit("/dashboard/payments", { ...asAda, [list]: silence });
  await screen.findByRole("heading", { name: "Payments" });
  screen.getByRole("status", { name: "Loading" });
});

test("payments that can't be fetched show an error and a retry button", async () => {
  const { user, answers } = visit("/dashboard/payments", { ...asAda, [list]: unreachable });
  await screen.findByText("Failed to fetch payments, an error occurred");
  screen.getByText("An error occurred while attempting to reach the server");
  answers[list] = ok([payment]);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await rows();
});

test("a rate limit is an info toast in the server's words", async () => {
  visit("/dashboard/payments", { ...asAda, [list]: rateLimited });
  const toast = await toastSaying("Too many requests, please try again in 12 seconds");
  expect(toast.dataset.type).toBe("info");
});

describe("the export", () => {
  const lines = (payments: Payment[]) => csvOf(payments).replace("\uFEFF", "").split("\r\n");

  test("has a line for each payment under the names of its columns", () => {
    expect(lines([{ ...payment, failure_reason: 'Said "no", twice' }])).toEqual([
      "ID,Status,Failure Reason,Payment Method,License,Created At,Payment ID",
      `p1,succeeded,"Said ""no"", twice",card,WISP-61Y5-S1EE-BVJN-C1PM,${payment.created_at},pi_1`,
      "",
    ]);
  });

  for (const evil of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "|calc"]) {
    test(`keeps ${JSON.stringify(evil)} from being run as a formula`, () => {
      const [, line = ""] = lines([{ ...payment, failure_reason: evil }]);
      expect(line).toMatch(/^p1,succeeded,"?'/);
    });
  }

  test("leaves missing values empty", () => {
    const bare = { ...payment, payment_method: null, license_key: null, payment_id: null };
    expect(lines([bare])[1]).toBe(`p1,succeeded,,,,${payment.created_at},`);
  });

  test("is saved as a file of all pages", async () => {
    const saved = watchDownloads();
    const { user } = visit("/dashboard/payments", { ...asAda, [list]: ok(many(7)) });
    await screen.findByText("1–5 of 7");
    await user.click(screen.getByRole("button", { name: "Export CSV" }));
    expect((await saved[0]?.text)?.split("\r\n")).toHaveLength(9);
  });

  test("has all payments, also those that are not loaded yet", async () => {
    const saved = watchDownloads();
    const { user } = visit("/dashboard/payments", {
      ...asAda,
      [list]: ({ query }) =>
        Response.json({ status: 200, data: many(100), next: query.has("before") ? null : "more" }),
    });
    await screen.findByText("1–5 of 100+");
    await user.click(screen.getByRole("button", { name: "Export CSV" }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect((await saved[0]?.text)?.split("\r\n")).toHaveLength(202);
  });

  test("is not offered without payments", async () => {
    visit("/dashboard/payments", { ...asAda, [list]: ok([]) });
    await screen.findByText("No previous payment transactions found");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Export CSV" }).disabled).toBe(true);
  });
});

test("rows and CSV say what was bought if it wasn't the default offer", async () => {
  const several = {
    ...payment,
    offer: "month",
    offer_name: "One month",
    quantity: 3,
    license_keys: ["WISP-61Y5-S1EE-BVJN-C1PM", "WISP-A", "WISP-B"],
    bill: { ...payment.bill, asked: 600, paid: 600, refunded: 200 },
  };
  visit("/dashboard/payments", { ...asAda, [list]: ok([several, { ...payment, id: "p2" }]) });
  const [first, second] = await rows();
  expect(first?.textContent).toContain("3 × One monthUSD 6.00, USD 2.00 refunded");
  expect(first?.textContent).toContain("+2 more");
  expect(second?.textContent).toContain("Wisp PremiumUSD 5.00");
  const [header, line] = csvOf([several, payment]).split("\r\n");
  expect(header).toEndWith("Payment ID,Offer,Quantity,Paid,Discount,Tax,Credit,Paid elsewhere,Refunded");
  expect(line).toEndWith("One month,3,USD 6.00,USD 0.00,USD 0.00,USD 0.00,USD 0.00,USD 2.00");
});

test("rows and CSV of what credit paid say what was charged", async () => {
  const byCredit = { ...payment, bill: { ...payment.bill, credit: 500, paid: 0 } };
  visit("/dashboard/payments", { ...asAda, [list]: ok([byCredit, { ...payment, id: "p2" }]) });
  const [first, second] = await rows();
  expect(first?.textContent).toContain("USD 0.00");
  expect(second?.textContent).toContain("USD 5.00");
  const [header, line] = csvOf([byCredit]).split("\r\n");
  expect(header).toEndWith("Paid,Discount,Tax,Credit,Paid elsewhere,Refunded");
  expect(line).toEndWith("USD 0.00,USD 0.00,USD 0.00,USD 5.00,USD 0.00,USD 0.00");
});

test("a live key can be copied; one that nobody can use is struck through and can't", async () => {
  const dead = (id: string, changes: object) => ({ ...payment, id, payment_id: id, ...changes });
  const { user } = visit("/dashboard/payments", {
    ...asAda,
    [list]: ok([
      payment,
      dead("p2", { status: "refunded" }),
      dead("p3", { status: "disputed" }),
      dead("p4", { unusable_keys: [0] }),
    ]),
  });
  const [live, ...others] = await rows();
  expect(live?.querySelector("s")).toBeNull();
  await user.click(within(live!).getByRole("button", { name: "Copy license key" }));
  expect(await navigator.clipboard.readText()).toBe("WISP-61Y5-S1EE-BVJN-C1PM");
  expect(location.pathname).toBe("/dashboard/payments");
  for (const row of others) {
    expect(row.querySelector("s")?.textContent).toBe("WISP-61Y5-S1EE-BVJN-C1PM");
    expect(within(row).queryByRole("button", { name: "Copy license key" })).toBeNull();
  }
});

describe("the filter", () => {
  const mixed = (count: number) =>
    many(count).map((one, at) => (at % 4 === 0 ? { ...one, status: "expired" as const } : one));
  const filter = () => screen.findByLabelText<HTMLSelectElement>("Show");

  test("appears from twenty payments on", async () => {
    const page = visit("/dashboard/payments", { ...asAda, [list]: ok(mixed(19)) });
    await rows();
    expect(screen.queryByLabelText("Show")).toBeNull();
    page.unmount();
    visit("/dashboard/payments", { ...asAda, [list]: ok(mixed(20)) });
    await filter();
  });

  test("leaves one status, page by page, and keeps it in the URL", async () => {
    const { user } = visit("/dashboard/payments?page=2", { ...asAda, [list]: ok(mixed(24)) });
    await user.selectOptions(await filter(), "Expired");
    await screen.findByText("1–5 of 6");
    expect(location.search).toBe("?state=expired");
    await user.click(screen.getByRole("link", { name: "Go to next page" }));
    expect(location.search).toBe("?state=expired&page=2");
    const left = (await rows()).map((row) => within(row).getAllByRole("cell")[0]?.textContent);
    expect(left).toEqual(["p21"]);
    await user.selectOptions(await filter(), "All payments");
    await screen.findByText("1–5 of 24");
  });

  test("looks for further payments of that status on the server's next pages", async () => {
    const all = many(250).map((one, at) => (at === 240 ? { ...one, status: "refunded" as const } : one));
    const { named } = visit("/dashboard/payments?state=refunded", {
      ...asAda,
      [list]: ({ query }) => {
        const from = Number(query.get("before") ?? 0);
        const next = from + 100 < 250 ? String(from + 100) : null;
        return Response.json({ status: 200, data: all.slice(from, from + 100), next });
      },
    });
    await screen.findByText("Refunded", { selector: "[data-status] *" });
    expect(named(list)).toHaveLength(3);
  });

  test("says so if no payment has the status", async () => {
    visit("/dashboard/payments?state=failed", { ...asAda, [list]: ok(mixed(24)) });
    await screen.findByText("No payments with this status");
  });
});

test("a renewal is told from the purchase that began the subscription, also in the export", async () => {
  const month = { ...payment, offer: "month", offer_name: "A month", subscription: "p1" };
  const renewal = { ...month, id: "p2", payment_id: "pi_2", renewal: true };
  visit("/dashboard/payments", { ...asAda, "GET /api/payments": ok([renewal, month], { next: null }) });
  const orders = (await rows()).map((row) => within(row).getAllByRole("cell")[4]?.textContent);
  expect(orders).toEqual(["A month, renewalUSD 5.00", "A monthUSD 5.00"]);
  expect(csvOf([renewal])).toContain("A month, renewal");
});
