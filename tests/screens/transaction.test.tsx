import { expect, mock, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import type { PurchaseResult } from "@/contract/wire/payments";
import type { Subscription } from "@/contract/wire/subscriptions";
import { asAda, ok, purchase, visit } from "./browser";

const verify = "GET /api/stripe/verify-payment";
const address = "/dashboard/transaction?payment_intent=pi_1";

const paid: PurchaseResult = { ...purchase, message: "Thank you for your purchase!" };
const subscription: Subscription = {
  id: "sub-1",
  offer: "month",
  status: "active",
  renews_at: "2026-12-27T12:00:00Z",
  ends_at: null,
  changes_at: null,
  changes_to: null,
  amount: 500,
  currency: "usd",
  interval: "month",
  card: { brand: "visa", last4: "4242" },
  license_key: null,
};
const verifiedToo = { status_message: "Payment Verified" };
const verified = { ...asAda, [verify]: ok(paid, { status_message: "Payment Verified" }) };

test("a payment is looked up by its intent", async () => {
  const { named } = visit(address, verified);
  await screen.findByRole("heading", { name: "Payment Verified" });
  expect(named(verify)[0]?.query.get("payment_intent")).toBe("pi_1");
  expect(screen.getByRole("link", { name: "Back to payments" }).getAttribute("href")).toBe(
    "/dashboard/payments",
  );
});

test("a key that nobody uses yet can be used or given away, and of several each is in their list", async () => {
  const page = visit(address, verified);
  await screen.findByRole("button", { name: "Use it on this account" });
  screen.getByRole("button", { name: "Copy gift message" });
  page.unmount();
  const license_keys = [paid.license_key, "WISP-AAAA-AAAA-AAAA-AAAA"];
  visit(address, { ...asAda, [verify]: ok({ ...paid, quantity: 2, license_keys }, verifiedToo) });
  await screen.findByRole("button", { name: "Use it on this account" });
  expect(screen.queryByRole("button", { name: "Copy gift message" })).toBeNull();
});

test("a paid one has a printable receipt without the key", async () => {
  const print = mock(() => {});
  Object.assign(globalThis, { print });
  const { user } = visit(address, verified);
  await user.click(await screen.findByRole("button", { name: "Print receipt" }));
  expect(print).toHaveBeenCalledTimes(1);
  const receipt = screen.getByRole("article", { name: "Receipt", hidden: true });
  expect(receipt.className).toContain("print:block");
  for (const text of [
    "Payment Verified",
    "cs_test_1",
    "May 31, 2026 at 4:05 PM",
    "ada@example.com",
    "USD 5.00",
  ])
    within(receipt).getByText(text);
  expect(receipt.textContent).not.toContain("C1PM");
});

test("the page and its receipt name the seller line by line", async () => {
  const seller = ["Wisp Software Ltd", "1 Example Street"];
  visit(address, { ...asAda, [verify]: ok({ ...paid, seller }, { status_message: "Payment Verified" }) });
  await screen.findByRole("heading", { name: "Payment Verified" });
  const receipt = screen.getByRole("article", { name: "Receipt", hidden: true });
  const named = screen.getAllByText("Wisp Software Ltd 1 Example Street");
  expect(named).toHaveLength(2);
  expect(receipt.contains(named[0]!)).toBe(false);
  expect(receipt.contains(named[1]!)).toBe(true);
  for (const lines of named) expect(lines.textContent).toBe(seller.join("\n"));
});

test("a shop that names no seller has no place for one", async () => {
  visit(address, verified);
  await screen.findByRole("heading", { name: "Payment Verified" });
  expect(document.querySelector("address")).toBeNull();
});

for (const status of ["Payment Pending", "Payment Failed", "Payment Canceled"] as const) {
  test(`'${status}' has no receipt to print`, async () => {
    visit(address, { ...asAda, [verify]: ok({ ...paid, status }, { status_message: status }) });
    await screen.findByRole("heading", { name: status });
    expect(screen.queryByRole("button", { name: "Print receipt" })).toBeNull();
  });
}

test("a refund has its own icon, its date and when it arrives, and its receipt", async () => {
  const refunded_at = new Date(Date.now() - 24 * 3_600_000).toISOString();
  const refunded = { ...paid, status: "Payment Refunded", message: "It was refunded.", refunded_at };
  visit(address, { ...asAda, [verify]: ok(refunded, { status_message: "Payment Refunded" }) });
  await screen.findByRole("heading", { name: "Payment Refunded" });
  expect(document.querySelector("[data-outcome]")?.getAttribute("data-outcome")).toBe("refunded");
  screen.getByText(/^It was refunded\. The refund was made on .+\. Your bank should show it by .+\.$/);
  const print = screen.getByRole("button", { name: "Print receipt" });
  expect(print.className).toContain("bg-primary");
});

test("a disputed payment asks to write to support first", async () => {
  visit(address, {
    ...asAda,
    [verify]: ok({ ...paid, status: "Payment Disputed" }, { status_message: "Payment Disputed" }),
  });
  const write = await screen.findByRole("link", { name: "Write to support" });
  expect(write.className).toContain("bg-primary");
  expect(screen.getByRole("button", { name: "Print receipt" }).className).not.toContain("bg-primary");
});

test("a key that its buyer doesn't need is given away from here", async () => {
  visit(address, { ...asAda, [verify]: ok({ ...paid, for_account: "redundant" }, verifiedToo) });
  await screen.findByRole("button", { name: "Copy gift message" });
});

test("a URL without a payment shows an error without a request", async () => {
  const { named } = visit("/dashboard/transaction", asAda);
  await screen.findByRole("heading", { name: "Could Not Fetch Status" });
  expect(named(verify)).toEqual([]);
});

test("the page has the short id of its row in the list, the bill of every order, and its invoice", async () => {
  const invoice_url = "https://invoice.example/1";
  visit(address, {
    ...asAda,
    [verify]: ok({ ...paid, invoice_url }, { status_message: "Payment Verified" }),
  });
  await screen.findByText("…15f3c5b2c5ea");
  const bill = within(await screen.findByRole("region", { name: "Bill" }));
  bill.getByText("Wisp Premium");
  bill.getByText("Paid");
  expect(bill.getByRole("link", { name: "See the invoice" }).getAttribute("href")).toBe(invoice_url);
});

test("a payment that failed can be tried again", async () => {
  const order_again = { offer: "premium", quantity: 1, gift: null };
  const failed = { ...paid, status: "Payment Failed", order_again };
  visit(address, { ...asAda, [verify]: ok(failed, { status_message: "Payment Failed" }) });
  await screen.findByRole("button", { name: "Try again" });
});

test("the payment of a subscription shows its next charge and card, and leads to Billing", async () => {
  const renewal = { ...paid, subscription: "sub-1", renewal: true, offer: "month", offer_name: "A month" };
  visit(address, {
    ...verified,
    [verify]: ok(renewal, { status_message: "Payment Verified" }),
    "GET /api/subscriptions": ok([subscription], { next: null }),
  });
  const card = await screen.findByRole("region", { name: "Subscription" });
  expect(card.textContent).toContain("Renews on Dec 27, 2026 for USD 5.00.");
  expect(card.textContent).toContain("Visa ending in 4242");
  expect(within(card).getByRole("link", { name: "Billing" }).getAttribute("href")).toBe(
    "/dashboard/license#billing",
  );
  expect(screen.getByRole("region", { name: "Bill" }).textContent).toContain("A month, renewal");
});

test("a payment of somebody else's subscription shows nothing of it, and other payments ask for none", async () => {
  const { named, unmount } = visit(address, {
    ...verified,
    [verify]: ok({ ...paid, subscription: "sub-2" }, { status_message: "Payment Verified" }),
    "GET /api/subscriptions": ok([subscription], { next: null }),
  });
  await screen.findByRole("heading", { name: "Payment Verified" });
  await waitFor(() => expect(named("GET /api/subscriptions")).toHaveLength(1));
  expect(screen.queryByRole("region", { name: "Subscription" })).toBeNull();
  unmount();
  const other = visit(address, verified);
  await screen.findByRole("heading", { name: "Payment Verified" });
  expect(other.named("GET /api/subscriptions")).toEqual([]);
});
