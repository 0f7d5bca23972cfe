import { expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { ada, asAda, ok, refused, signedOut, toastSaying, unreachable, visit } from "./browser";
import {
  asStaff,
  correctionRow,
  hostile,
  licenceDetails,
  me,
  paymentDetails,
  pressInMenu,
  renewalDetails,
  subscriptionDetails,
} from "./desk-answers";

const wantsCode = refused(403, "Please enter a code", { code: "confirm" });
const typeCode = async (user: ReturnType<typeof visit>["user"]) => {
  await user.click(await screen.findByLabelText("Digit 1 of 6"));
  await user.keyboard("123456");
};

test("visitors are sent to sign in, and come back", async () => {
  visit("/desk/payments?status=open");
  await waitFor(() => expect(location.pathname).toBe("/login"));
  expect(history.state.usr.from).toBe("/desk/payments?status=open");
});

test("customers find no such page", async () => {
  visit("/desk/customers", { "GET /api/user/me": ok({ ...ada, mfa: true }) });
  await screen.findByRole("heading", { level: 1, name: "Page does not exist" });
});

test("staff without two-factor are shown the way to Settings", async () => {
  visit("/desk", { "GET /api/user/me": ok({ ...ada, staff: "owner" }) });
  const way = await screen.findByRole("link", { name: "Go to Settings" });
  expect(way.getAttribute("href")).toBe("/dashboard/settings");
});

test("staff whose role sleeps are told whom to ask", async () => {
  visit("/desk", { "GET /api/user/me": ok({ ...ada, mfa: true, staff: "owner", staff_asleep: true }) });
  await screen.findByRole("heading", { name: "Your role is asleep" });
  screen.getByText(/ask another owner/);
});

test("a code of the authenticator opens the page that was wanted; a wrong one empties the boxes", async () => {
  const { user, answers, sent } = visit("/desk/customers", {
    ...asStaff(),
    "GET /api/desk/me": signedOut,
    "POST /api/desk/enter": refused(401, "That code is wrong", { code: "mfa_code_invalid" }),
  });
  await typeCode(user);
  await screen.findByText("That code is wrong");
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("Digit 1 of 6").value).toBe(""));
  Object.assign(answers, { "POST /api/desk/enter": ok(me()), "GET /api/desk/me": ok(me()) });
  await user.keyboard("654321");
  await screen.findByRole("heading", { level: 1, name: "Customers" });
  expect(sent("POST /api/desk/enter")).toEqual([{ security_code: "123456" }, { security_code: "654321" }]);
});

test("a link with a code fills in the boxes, and nothing is sent before a press", async () => {
  const { user, answers, named, sent } = visit("/desk/customers#code=135790", {
    ...asStaff(),
    "GET /api/desk/me": signedOut,
  });
  const last = await screen.findByLabelText<HTMLInputElement>("Digit 6 of 6");
  expect(last.value).toBe("0");
  await waitFor(() => expect(location.hash).toBe(""));
  expect(named("POST /api/desk/enter")).toEqual([]);
  Object.assign(answers, { "POST /api/desk/enter": ok(me()), "GET /api/desk/me": ok(me()) });
  await user.click(screen.getByRole("button", { name: "Enter" }));
  await waitFor(() => expect(sent("POST /api/desk/enter")).toEqual([{ security_code: "135790" }]));
});

test("once the shop says that nobody is on the desk, the page asks for a code again", async () => {
  const { answers, user } = visit("/desk/customers", asStaff());
  await screen.findByText("customer-1");
  answers["GET /api/desk/payments"] = signedOut;
  await user.keyboard("gp");
  await screen.findByRole("heading", { level: 1, name: "Enter the desk" });
});

test("a refund says what it does, asks for a reason and a code, and then continues", async () => {
  let confirmed = false;
  const { user, named, sent } = visit(`/desk/payments/${paymentDetails.id}`, {
    ...asStaff(),
    "POST /api/desk/confirm": () => {
      confirmed = true;
      return Response.json({ status: 200, data: { confirmed_until: "2026-01-01T00:10:00.000Z" } });
    },
    [`POST /api/desk/payments/${paymentDetails.id}/refund`]: () =>
      confirmed
        ? Response.json({ status: 200, data: { refund: "r", state: "made", amount: 999, currency: "usd" } })
        : wantsCode(),
  });
  await user.click(await screen.findByRole("button", { name: "Refund" }));
  const dialog = await screen.findByRole("dialog", { name: "Refund" });
  await within(dialog).findByText(
    `Refunds USD 9.99 to ${hostile}, revokes 1 license, and removes the role from ada#1.`,
  );
  await user.click(within(dialog).getByRole("button", { name: "Refund" }));
  await within(dialog).findByText("This field is required");
  await user.type(within(dialog).getByLabelText("Reason"), "Bought twice");
  await user.click(within(dialog).getByRole("button", { name: "Refund" }));
  await screen.findByRole("dialog", { name: "Confirm it's you" });
  await typeCode(user);
  await toastSaying("USD 9.99 is refunded");
  expect(named("POST /api/desk/confirm")[0]?.body).toEqual({ security_code: "123456" });
  expect(sent(`POST /api/desk/payments/${paymentDetails.id}/refund`)).toEqual([
    { reason: "Bought twice" },
    { reason: "Bought twice" },
  ]);
});

test("a lost answer leaves what was typed, and warns that it may have been done", async () => {
  const path = `POST /api/desk/payments/${paymentDetails.id}/refund`;
  const { user, answers } = visit(`/desk/payments/${paymentDetails.id}`, {
    ...asStaff(),
    [path]: unreachable,
  });
  await user.click(await screen.findByRole("button", { name: "Refund" }));
  await user.type(await screen.findByLabelText("Reason"), "Bought twice{Enter}");
  await screen.findByText(/This may have gone through/);
  const repeated = { refund: "r", state: "made", amount: 999, currency: "usd", repeated: true };
  Object.assign(answers, { [path]: ok(repeated) });
  await user.type(screen.getByLabelText("Reason"), "{Enter}");
  await toastSaying("USD 9.99 was already refunded for the same reason, so nothing was refunded again");
});

test("support proposes an address, which an owner corrects or finds proposed on the order's page", async () => {
  const path = `/desk/payments/${paymentDetails.id}`;
  const call = `POST /api/desk/payments/${paymentDetails.id}/correct-email`;
  const correct = async (
    role: "owner" | "support",
    names: [button: string, consequence: string, done: string],
  ) => {
    const { user, named, unmount } = visit(path, { ...asStaff(role), [call]: ok(correctionRow) });
    const [button, consequence, done] = names;
    await pressInMenu(user, "More operations", button);
    const dialog = await screen.findByRole("dialog", { name: button });
    await user.type(within(dialog).getByLabelText("Right address"), "ada@example.com");
    within(dialog).getByText(new RegExp(`^${consequence} the buyer's address from .* to ada@example.com`));
    await user.type(within(dialog).getByLabelText("Reason"), "Ticket 12{Enter}");
    await toastSaying(done);
    expect(named(call)[0]?.body).toEqual({ email: "ada@example.com", reason: "Ticket 12" });
    unmount();
  };
  await correct("support", [
    "Propose address",
    "Asks an owner to change",
    "The address is waiting for an owner",
  ]);
  await correct("owner", ["Correct address", "Changes", "Address corrected"]);
  visit(path, {
    ...asStaff(),
    [`GET /api/desk/payments/${paymentDetails.id}`]: ok({ ...paymentDetails, corrections: [correctionRow] }),
  });
  const proposed = await screen.findByRole("region", { name: "Proposed address" });
  within(proposed).getByText("the buyer's address from ada@exmaple.com to ada@example.com");
  within(proposed).getByRole("button", { name: "Approve the address ada@example.com" });
});

test("a partial refund revokes no license", async () => {
  const { user } = visit(`/desk/payments/${paymentDetails.id}`, asStaff());
  await user.click(await screen.findByRole("button", { name: "Refund" }));
  const amount = await screen.findByLabelText("Amount in USD");
  await user.clear(amount);
  await user.type(amount, "4");
  await screen.findByText(
    `Refunds USD 4.00 to ${hostile}. No license is affected, because part of the payment remains.`,
  );
});

test("a full refund of a subscription's current period ends it with its license, unless an owner keeps them", async () => {
  const path = `POST /api/desk/payments/${renewalDetails.id}/refund`;
  const { user, sent } = visit(`/desk/payments/${renewalDetails.id}`, {
    ...asStaff(),
    [path]: ok({ refund: "r", state: "made", amount: 300, currency: "usd" }),
  });
  await user.click(await screen.findByRole("button", { name: "Refund" }));
  await screen.findByText(
    `Refunds USD 3.00 to ${renewalDetails.email} and ends the subscription and its license right away.`,
  );
  await user.click(screen.getByRole("checkbox", { name: "Keep the license" }));
  await screen.findByText(
    `Refunds USD 3.00 to ${renewalDetails.email}. The license and the subscription continue.`,
  );
  await user.type(screen.getByLabelText("Reason"), "Charged by mistake{Enter}");
  await toastSaying("USD 3.00 is refunded");
  expect(sent(path)).toEqual([{ keep: true, reason: "Charged by mistake" }]);
});

test("a full refund of an older period of a subscription ends nothing", async () => {
  const older = {
    ...renewalDetails,
    subscription: { ...renewalDetails.subscription, ends_if_refunded: false },
  };
  const { user } = visit(`/desk/payments/${renewalDetails.id}`, {
    ...asStaff(),
    [`GET /api/desk/payments/${renewalDetails.id}`]: ok(older),
  });
  await user.click(await screen.findByRole("button", { name: "Refund" }));
  await screen.findByText(
    `Refunds USD 3.00 to ${renewalDetails.email}. The license and the subscription continue.`,
  );
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("a payment names what was paid elsewhere beside what was paid", async () => {
  const bill = { ...renewalDetails.bill, asked: 300, outside: 100, paid: 200 };
  visit(`/desk/payments/${renewalDetails.id}`, {
    ...asStaff(),
    [`GET /api/desk/payments/${renewalDetails.id}`]: ok({ ...renewalDetails, bill }),
  });
  expect((await screen.findByText("Paid elsewhere")).nextSibling?.textContent).toBe("−USD 1.00");
  const paid = screen.getAllByText("Paid").map(({ nextSibling }) => nextSibling?.textContent);
  expect(paid).toContain("USD 2.00");
});

test("a proposed refund of a subscription's payment can't keep the license", async () => {
  const { user } = visit(`/desk/payments/${renewalDetails.id}`, asStaff("support"));
  await user.click(await screen.findByRole("button", { name: "Propose refund" }));
  await screen.findByText(
    `Asks an owner to refund USD 3.00 to ${renewalDetails.email} and end the subscription and its license right away.`,
  );
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("the dialog that cancels a subscription has one button to do so and another to leave", async () => {
  const { user } = visit(`/desk/subscriptions/${subscriptionDetails.id}`, asStaff());
  await user.click(await screen.findByRole("button", { name: "Cancel subscription" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Cancel subscription" }));
  dialog.getByRole("button", { name: "Cancel subscription" });
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("a renewal's payment leads to its subscription, customer and license, and names its invoice", async () => {
  const { user } = visit(`/desk/payments/${renewalDetails.id}`, asStaff());
  const order = within(await screen.findByLabelText("Order"));
  order.getByText("customer-2");
  order.getByText("in_test_2");
  order.getByRole("button", { name: "Copy invoice" });
  expect(order.queryByText("Checkout session")).toBeNull();
  screen.getByText(renewalDetails.subscription.licence.key);
  await user.click(order.getByRole("link", { name: "USD 3.00 a month" }));
  await screen.findByRole("heading", { level: 1, name: "USD 3.00 a month" });
  expect(location.pathname).toBe(`/desk/subscriptions/${subscriptionDetails.id}`);
});

test("closing the dialog that asks for a code leaves everything as it was", async () => {
  const { user, named } = visit(`/desk/licences/${licenceDetails.id}`, {
    ...asStaff(),
    [`POST /api/desk/licences/${licenceDetails.id}/key`]: wantsCode,
  });
  await pressInMenu(user, "More operations", "Show whole key");
  await user.type(await screen.findByLabelText("Reason"), "They lost it");
  await user.keyboard("{Enter}");
  await screen.findByRole("dialog", { name: "Confirm it's you" });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Confirm it's you" })).toBeNull());
  screen.getByRole("dialog", { name: "Show whole key" });
  expect(named(`POST /api/desk/licences/${licenceDetails.id}/key`)).toHaveLength(1);
});

for (const [role, names, more] of [
  ["viewer", [], []],
  ["support", ["Suspend", "Extend"], []],
  ["owner", ["Suspend", "Extend", ""], ["Change computers", "Show whole key", "Change key", "Revoke"]],
] as const) {
  test(`of a licence, ${role} is shown what this role may do, what takes away last, and nothing else`, async () => {
    const { user } = visit(`/desk/licences/${licenceDetails.id}`, asStaff(role));
    await screen.findByRole("heading", { level: 1, name: licenceDetails.key });
    const operations = screen.queryByRole("group", { name: "Operations" });
    const shown = operations ? within(operations).getAllByRole("button") : [];
    expect(shown.map(({ textContent }) => textContent)).toEqual([...names]);
    if (more.length === 0) return;
    await user.click(screen.getByRole("button", { name: "More operations" }));
    const items = await screen.findAllByRole("menuitem");
    expect(items.map(({ textContent }) => textContent)).toEqual([...more]);
  });
}

test("Ctrl K finds people and payments of the shop, and commands of the page", async () => {
  const { user, named } = visit(`/desk/payments/${paymentDetails.id}`, asStaff());
  await screen.findByRole("button", { name: "Refund" });
  await user.keyboard("{Control>}k{/Control}");
  const field = await screen.findByRole("combobox");
  screen.getByRole("option", { name: /^Resend email…/ });
  await user.type(field, "customer-1");
  // a slow hand has the first letters searched too
  await waitFor(() => expect(named("POST /api/desk/search").at(-1)?.body).toEqual({ q: "customer-1" }));
  await user.click(await screen.findByRole("option", { name: /^customer-1/ }));
  await screen.findByRole("heading", { level: 1, name: "customer-1" });
});

test("text that customers typed is shown as plain text everywhere at the desk", async () => {
  for (const path of ["payments", "refunds", "corrections", "audit", `payments/${paymentDetails.id}`]) {
    const shown = visit(`/desk/${path}`, asStaff());
    expect((await screen.findAllByText(hostile, { exact: false })).length).toBeGreaterThan(0);
    expect(document.querySelector("img[src=x]")).toBeNull();
    shown.unmount();
  }
});

test("members of staff find the desk in the dashboard's navigation, and customers don't", async () => {
  const as = (staff: "support" | null) => ({
    ...asAda,
    ...asStaff(),
    "GET /api/user/me": ok({ ...ada, staff }),
  });
  const staff = visit("/dashboard", as("support"));
  const way = await screen.findByRole("link", { name: "Desk" });
  expect(way.getAttribute("href")).toBe("/desk");
  staff.unmount();
  visit("/dashboard", as(null));
  await screen.findByRole("navigation", { name: "Dashboard" });
  expect(screen.queryByRole("link", { name: "Desk" })).toBeNull();
});
