import { expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { ok, premium, toastSaying, visit } from "./browser";
import {
  asStaff,
  correctionRow,
  figures,
  licenceDetails,
  hostile,
  page,
  refundRow,
  subscriptionFigures,
} from "./desk-answers";

const since = "2026-03-04T05:06:07.000Z";
const today = {
  ...asStaff(),
  "GET /api/offers": ok([premium]),
  "GET /api/desk/figures": ok(figures),
  "GET /api/desk/attention": ok([
    { kind: "disputes", count: 1, since, due: since, link: "/desk/payments?status=disputed" },
    { kind: "refund_proposals", count: 1, since, due: null, link: "/desk/refunds?state=proposed" },
    { kind: "address_proposals", count: 1, since, due: null, link: "/desk/corrections?state=proposed" },
    { kind: "waiting_tickets", count: 1_000, since, due: null, link: "/desk/tickets" },
  ]),
};

test("waiting items come first, each line a link to where it is settled", async () => {
  visit("/desk", today);
  const attention = await screen.findByRole("region", { name: "Attention" });
  await within(attention).findByText("1,000+ tickets waiting for an answer");
  const links = within(attention)
    .getAllByRole("link")
    .map((link) => link.getAttribute("href"));
  expect(links).toEqual(expect.arrayContaining(["/desk/payments?status=disputed", "/desk/tickets"]));
});

test("a mail server that refuses is listed with the first words of its reply", async () => {
  const words = "554 5.7.1 …: Recipient address rejected: Access denied";
  const line = { kind: "refusing_mail", count: 1, since, due: null, words, link: "/desk/system" };
  visit("/desk", { ...today, "GET /api/desk/attention": ok([line]) });
  const attention = await screen.findByRole("region", { name: "Attention" });
  await within(attention).findByText("1 mail server refusing our emails");
  within(attention).getByText(words);
});

test("receipts that never arrived are sent again from Today by one press", async () => {
  const words = "550 5.1.1 No such user";
  const receipts = ["ada@example.com", "bea@example.com"].map((to, at) => ({
    payment: `payment-${at}`,
    letter: "receipt",
    to,
    refused_at: since,
    words,
  }));
  const { user, sent } = visit("/desk", {
    ...today,
    "GET /api/desk/attention": ok([
      { kind: "lost_receipts", count: 2, since, due: null, receipts, link: "/desk" },
    ]),
    "POST /api/desk/payments/resend-lost": ok({ sent: 2, left: false }),
  });
  const attention = within(await screen.findByRole("region", { name: "Attention" }));
  await attention.findByText("2 orders whose receipts never arrived");
  attention.getAllByText(words);
  attention.getByRole("button", { name: "Send again to bea@example.com" });
  await user.click(attention.getByRole("button", { name: "Send all again" }));
  await toastSaying("2 emails are on the way");
  expect(sent("POST /api/desk/payments/resend-lost")).toEqual([{}]);
});

test("what is wrong around the shop is listed with what to do", async () => {
  const line = { kind: "full_disk", count: 1, since, due: null, link: "/desk/system" };
  visit("/desk", {
    ...today,
    "GET /api/desk/attention": ok([
      { ...line, words: "0.5 GiB of 4.0 GiB free in /data" },
      { ...line, kind: "refused_events" },
    ]),
  });
  const attention = await screen.findByRole("region", { name: "Attention" });
  await within(attention).findByText("1 disk nearly full");
  within(attention).getByText("0.5 GiB of 4.0 GiB free in /data");
  within(attention).getByText(/^Free some space/);
  within(attention).getByText(/Copy the endpoint's signing secret/);
});

test("a proposed refund is approved on Today, and asks why", async () => {
  const call = `POST /api/desk/refunds/${refundRow.id}/approve`;
  const { user, named } = visit("/desk", {
    ...today,
    [call]: ok({ refund: refundRow.id, state: "made", amount: 999, currency: "usd" }),
  });
  await user.click(
    await screen.findByRole("button", { name: `Approve the refund of USD 9.99 to ${hostile}` }),
  );
  const dialog = await screen.findByRole("dialog", { name: "Approve" });
  within(dialog).getByText(/For a subscription's current period, it ends the subscription and its license/);
  await user.type(within(dialog).getByLabelText("Reason"), "Sam is right");
  await user.keyboard("{Enter}");
  await toastSaying("USD 9.99 is refunded");
  expect(named(call)[0]?.body).toEqual({ reason: "Sam is right" });
});

test("a proposed address is approved or declined on Today, which says what changes", async () => {
  const call = (verb: string) => `POST /api/desk/corrections/${correctionRow.id}/${verb}`;
  const { user, named } = visit("/desk", {
    ...today,
    [call("approve")]: ok({ ...correctionRow, state: "approved" }),
    [call("decline")]: ok({ ...correctionRow, state: "declined" }),
  });
  const change = "the buyer's address from ada@exmaple.com to ada@example.com";
  const link = await screen.findByRole("link", { name: `Change ${change}` });
  expect(link.getAttribute("href")).toBe(`/desk/payments/${correctionRow.payment}`);
  for (const [verb, consequence, done] of [
    ["Approve", `Changes ${change}, as sam proposed`, "Address corrected"],
    ["Decline", "Declines sam's proposal.", "Proposal declined"],
  ] as const) {
    await user.click(screen.getByRole("button", { name: `${verb} the address ada@example.com` }));
    const dialog = await screen.findByRole("dialog", { name: verb });
    within(dialog).getByText(new RegExp(consequence));
    await user.type(within(dialog).getByLabelText("Reason"), "Sam is right");
    await user.keyboard("{Enter}");
    await toastSaying(done);
    expect(named(call(verb.toLowerCase()))[0]?.body).toEqual({ reason: "Sam is right" });
  }
});

test("support sees proposals without the buttons of owners", async () => {
  visit("/desk", {
    ...today,
    ...asStaff("support"),
    "GET /api/desk/attention": today["GET /api/desk/attention"],
  });
  await waitFor(() => expect(screen.getAllByText(/sam: /)).toHaveLength(2));
  expect(screen.queryByRole("button", { name: /^Approve/ })).toBeNull();
});

test("each figure says how it changed, and those that a shop lacks are left out", async () => {
  visit("/desk", today);
  const gross = await screen.findByRole("button", { name: /^Gross/ });
  expect(gross.textContent).toStartWith("GrossUSD 50.00+25%");
  expect(screen.getByRole("button", { name: /^Conversion/ }).textContent).toStartWith("Conversion50%−37.5%");
  expect(screen.queryByRole("button", { name: /^Monthly recurring/ })).toBeNull();
});

test("a figure says what it counts, and leads to the rows behind it, of each offer too, retired ones included", async () => {
  const sold = { retired: false, orders: 3, gross: 3_000, net: 2_000, conversion: 0.5, active_licences: 2 };
  visit("/desk?range=own&from=2026-03-01&to=2026-03-02", {
    ...today,
    "GET /api/desk/figures/offers": ok({
      ...figures,
      rows: [
        { ...sold, offer: "premium", name: "Wisp Premium" },
        { ...sold, offer: "quarter", name: "Three months", retired: true, gross: 5_000 },
      ],
    }),
  });
  await screen.findByText("What was paid, on the day of each charge.");
  const rows = screen.getByRole("link", { name: "Payments opened on these days" });
  expect(rows.getAttribute("href")).toBe(`/desk/payments?from=${figures.from}&to=${figures.to}`);
  const offers = within(await screen.findByRole("grid", { name: "By offer" })).getAllByRole("link");
  expect(offers.map(({ textContent }) => textContent)).toEqual(["Three months (retired)", "Wisp Premium"]);
  expect(offers[0]?.getAttribute("href")).toEndWith("offer=quarter");
});

const recurring = { ...figures, totals: { ...figures.totals, mrr: 30_000 } };

test("in a shop with recurring offers, a card says what became of subscriptions in the same days", async () => {
  const { named } = visit("/desk?range=own&from=2026-03-01&to=2026-03-02&offer=month", {
    ...today,
    "GET /api/desk/figures": ok(recurring),
    "GET /api/desk/figures/subscriptions": ok(subscriptionFigures),
  });
  const card = await screen.findByRole("region", { name: "Subscriptions" });
  await within(card).findByText("1,200");
  expect(within(card).getAllByRole("definition").map(textOf)).toEqual([
    "1,200 +4",
    "9",
    "5 0.4% churn",
    "12 of 20 converted, 3 still running",
    "5 of 6 recovered",
  ]);
  const query = named("GET /api/desk/figures/subscriptions").at(-1)?.query;
  expect(query?.toString()).toBe("offer=month&from=2026-03-01&to=2026-03-02");
});

test("subscriptions that did nothing are not counted in zeros of zero", async () => {
  const none = { begun: 0, paid: 0, running: 0, failed: 0, recovered: 0 };
  visit("/desk", {
    ...today,
    "GET /api/desk/figures": ok(recurring),
    "GET /api/desk/figures/subscriptions": ok({
      ...subscriptionFigures,
      running: { start: 0, end: 0 },
      churn: null,
      trials: none,
      payments: none,
    }),
  });
  const card = await screen.findByRole("region", { name: "Subscriptions" });
  await within(card).findByText("no change");
  expect(within(card).getAllByRole("definition").map(textOf)).toEqual([
    "0 no change",
    "9",
    "5",
    "None",
    "None",
  ]);
});

test("a shop whose offers don't recur asks for no subscriptions", async () => {
  const { named } = visit("/desk", today);
  await screen.findByRole("button", { name: /^Gross/ });
  expect(screen.queryByRole("region", { name: "Subscriptions" })).toBeNull();
  expect(named("GET /api/desk/figures/subscriptions")).toEqual([]);
});

const textOf = ({ textContent }: Element) => textContent?.trim();

test("all numbers are a table, one press away", async () => {
  const { user } = visit("/desk", today);
  await user.click(await screen.findByRole("button", { name: "Show as table" }));
  const rows = within(screen.getByRole("table")).getAllByRole("row");
  expect(
    within(rows[1]!)
      .getAllByRole("cell")
      .slice(0, 4)
      .map(({ textContent }) => textContent),
  ).toEqual(["USD 20.00", "USD 40.01", "5", "–"]);
  expect(within(rows.at(-1)!).getAllByRole("cell")[0]?.textContent).toBe("USD 50.00");
});

test("range, offer and zone are in the address, and a range ends with the shop's own day", async () => {
  const { user, named } = visit("/desk", today);
  await user.selectOptions(await screen.findByLabelText("Offer"), "premium");
  await user.selectOptions(screen.getByLabelText("Range"), "7");
  await waitFor(() => expect(location.search).toBe("?offer=premium&range=7"));
  const shops = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Berlin" }).format(new Date());
  await waitFor(() => {
    const query = named("GET /api/desk/figures").at(-1)?.query;
    expect(query?.get("to")).toBe(shops);
    expect(query?.get("offer")).toBe("premium");
    expect((Date.parse(shops) - Date.parse(query?.get("from") ?? "")) / 86_400_000).toBe(6);
    expect(query?.has("tz")).toBe(false);
  });
});

test("an owner of an empty shop is told what to do first and where, and what is done already", async () => {
  visit("/desk", {
    ...today,
    "GET /api/desk/payments": page([]),
    "GET /api/desk/system": ok({ stripe: { mode: "live", last_webhook_at: null } }),
    "GET /api/desk/releases": page([]),
    "GET /api/desk/offers": page([{ id: "premium", name: "Wisp Premium" }]),
    "GET /api/desk/staff": ok({ members: [{}, {}], invitations: [] }),
  });
  const steps = within(await screen.findByRole("region", { name: "First steps" })).getAllByRole("listitem");
  expect(steps.map(({ textContent }) => /\((.*?)\)/.exec(textContent ?? "")?.[1])).toEqual([
    "done",
    "to do",
    "to do",
    "done",
  ]);
  expect(steps.map((step) => within(step).getByRole("link").getAttribute("href"))).toEqual([
    "/desk/settings/system",
    "/desk/products/releases",
    "/desk/products",
    "/desk/settings/staff",
  ]);
});

test("many licences are revoked only after their number and the first of them are shown", async () => {
  const orders: unknown[] = [];
  const { user } = visit("/desk/licences?status=active", {
    ...asStaff(),
    "POST /api/desk/licences/bulk": ({ body }) => {
      orders.push(body);
      const isPreview = orders.length === 1;
      const data = isPreview ? { total: 1_234, sample: [{ id: "a", key: "WISP-••••-7K2M" }] } : { job: "j1" };
      return Response.json({ status: 200, data });
    },
    "GET /api/desk/jobs/j1": ok({
      id: "j1",
      action: "revoke",
      by: { id: "o", name: "olga" },
      done: 1_234,
      total: 1_234,
      refused: [{ id: licenceDetails.id, code: "license_revoked" }],
      refused_total: 1,
      created_at: since,
      cancelled_at: null,
      finished_at: since,
      keys_until: null,
      result_until: null,
      lines: null,
    }),
  });
  await user.click(await screen.findByRole("button", { name: "Revoke" }));
  await user.type(await screen.findByLabelText("Reason"), "Leaked");
  await user.keyboard("{Enter}");
  await screen.findByText("and 1,233 more");
  await user.click(screen.getByRole("button", { name: "Revoke 1,234 licenses" }));
  await screen.findByText(/1,234 of 1,234 licenses done, 1 of them refused/);
  await screen.findByText("License revoked");
  const order = { action: "revoke", filter: { status: "active" }, reason: "Leaked" };
  expect(orders).toEqual([{ ...order, preview: true }, order]);
});

test("X selects rows, and what is done is done to those alone", async () => {
  const { user, named } = visit("/desk/licences", {
    ...asStaff(),
    "POST /api/desk/licences/bulk": ok({ total: 1, sample: [] }),
  });
  await screen.findByText(licenceDetails.key);
  await user.keyboard("{ArrowDown}x");
  await screen.findByText("1 license selected");
  await user.click(screen.getByRole("button", { name: "Suspend" }));
  await user.type(await screen.findByLabelText("Reason"), "Abuse");
  await user.keyboard("{Enter}");
  await waitFor(() =>
    expect(named("POST /api/desk/licences/bulk")[0]?.body).toEqual({
      action: "suspend",
      ids: [licenceDetails.id],
      preview: true,
      reason: "Abuse",
    }),
  );
});
