import { expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { paymentWords } from "@/contract/vocabulary/state-words";
import { hasFocus, ok, visit } from "./browser";
import { asStaff, customerRow, hostile, licenceDetails, pressInMenu } from "./desk-answers";

test("the arrow keys go through a list, and Enter opens the row", async () => {
  const { user } = visit("/desk/customers", asStaff());
  await screen.findByText("customer-1");
  await user.keyboard("{ArrowDown}");
  const rows = () => within(screen.getByRole("grid")).getAllByRole("row").slice(1);
  expect(hasFocus(rows()[0])).toBe(true);
  await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
  expect(hasFocus(rows()[2])).toBe(true);
  await user.keyboard("{Home}{Enter}");
  await screen.findByRole("heading", { level: 1, name: "customer-1" });
});

test("filters are in the address, and narrow what is requested", async () => {
  const { user, named } = visit("/desk/payments?customer=01a1fd74-495b-730b-a5fe-000000000001", asStaff());
  await screen.findByText(hostile);
  within(screen.getByRole("group", { name: "Filters" })).getByText("customer-1");
  await user.selectOptions(screen.getByLabelText("Status"), "disputed");
  await waitFor(() => expect(location.search).toContain("status=disputed"));
  await waitFor(() =>
    expect(named("GET /api/desk/payments").at(-1)?.query.toString()).toBe(
      "status=disputed&customer=01a1fd74-495b-730b-a5fe-000000000001&limit=50",
    ),
  );
  await user.click(screen.getByRole("button", { name: "Remove the filter Customer" }));
  await within(screen.getByLabelText("Offer")).findByRole("option", { name: "Three months (retired)" });
  await user.selectOptions(screen.getByLabelText("Offer"), "Wisp Premium");
  await waitFor(() => expect(location.search).toBe("?status=disputed&offer=premium"));
});

test("a row has its name and state in one line, what else it has and its time in another, and no ids", async () => {
  visit("/desk/payments", asStaff());
  await screen.findByText("Wisp Premium", { selector: "span" });
  const [, row] = within(screen.getByRole("grid")).getAllByRole("row");
  const lines = [...(row?.firstElementChild?.children ?? [])].map((line) =>
    [...line.children].map(({ textContent }) => textContent),
  );
  expect(lines).toEqual([
    [hostile, paymentWords.succeeded.word],
    ["USD 9.99", "customer-1", "Wisp Premium", expect.stringMatching(/ago|20\d\d/)],
  ]);
});

test("the page of a row leads back to the list as it was left", async () => {
  const { user } = visit("/desk/customers?staff=owner", asStaff());
  await user.click(await screen.findByRole("link", { name: "customer-1" }));
  await screen.findByRole("heading", { level: 1, name: "customer-1" });
  await user.click(within(screen.getByRole("main")).getByRole("link", { name: "Customers" }));
  await screen.findByRole("heading", { level: 1, name: "Customers" });
  expect(location.search).toBe("?staff=owner");
});

test("the next rows follow what the page before named", async () => {
  const { user, named } = visit("/desk/customers", {
    ...asStaff(),
    "GET /api/desk/customers": ({ query }) => {
      const isNext = query.has("after");
      const data = { rows: [customerRow(isNext ? 4 : 1)], next: isNext ? null : "here" };
      return Response.json({ status: 200, data });
    },
  });
  await user.click(await screen.findByRole("button", { name: "Show more" }));
  await screen.findByText("customer-4");
  expect(named("GET /api/desk/customers").at(-1)?.query.get("after")).toBe("here");
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});

test("columns are chosen, and kept in this browser", async () => {
  const first = visit("/desk/customers", asStaff());
  await screen.findByText("customer-1@example.com");
  await pressInMenu(first.user, "More for customers", "Columns");
  await first.user.click(await screen.findByRole("checkbox", { name: "Email" }));
  expect(screen.queryByText("customer-1@example.com")).toBeNull();
  first.unmount();
  visit("/desk/customers", asStaff());
  await screen.findByText("customer-1");
  expect(screen.queryByText("customer-1@example.com")).toBeNull();
});

test("the log is read as sentences, with the raw event behind a press", async () => {
  const { user } = visit("/desk/audit", asStaff());
  await screen.findByText(`sam proposed to give back USD 9.99 to ${hostile}.`);
  within(screen.getByRole("grid")).getByText(hostile, { exact: true });
  await user.click(screen.getByRole("button", { name: "Raw event payment.refund_proposed" }));
  const raw = within(await screen.findByRole("dialog", { name: "payment.refund_proposed" }));
  raw.getByText(/"amount": 999/);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(location.pathname).toBe("/desk/audit");
});

test("an export says how many rows it has and which, before it starts", async () => {
  const { user } = visit("/desk/payments?status=open", {
    ...asStaff(),
    "GET /api/desk/export/payments/count": ok({ count: 1_234, more: false }),
  });
  await pressInMenu(user, "More for payments", "Export");
  const dialog = await screen.findByRole("dialog", { name: "Export payments" });
  await within(dialog).findByText(/Downloads 1,234 payments as CSV: those with status Open/);
});

test("/ searches the whole shop and says why it found what doesn't show it, and ? lists the keys", async () => {
  const { user } = visit("/desk/licences", asStaff());
  await screen.findByText(licenceDetails.key);
  await user.keyboard("?");
  within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" })).getByText(/^\/ or /);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.keyboard("/");
  await user.type(await screen.findByRole("combobox"), "4242");
  await screen.findByRole("option", { name: /USD 9\.99 · Card ending 4242 · / });
  screen.getByRole("option", { name: /^customer-1/ });
  screen.getByRole("option", { name: /^WISP/ });
});
