/** What a payment's page tells of its dispute and of its emails. */
import { expect, test } from "bun:test";
import { screen, within } from "@testing-library/react";
import { ok, toastSaying, visit } from "./browser";
import { asStaff, correctionRow, paymentDetails, refundRow } from "./desk-answers";

const path = `/desk/payments/${paymentDetails.id}`;
const details = `GET /api${path}`;

const disputedAt = (status: string, since: string | null) => ({
  ...paymentDetails,
  status: since === null ? ("succeeded" as const) : ("disputed" as const),
  dispute: {
    status,
    since,
    reason: "fraudulent",
    amount: 999,
    currency: "usd",
    due: paymentDetails.created_at,
  },
});

test("a dispute comes first with its reason, deadline and cost, and its evidence is read before it is sent", async () => {
  const call = (verb: string) => `POST /api/desk/payments/${paymentDetails.id}/${verb}`;
  const details = disputedAt("needs_response", paymentDetails.created_at);
  const { user, sent } = visit(`/desk/payments/${paymentDetails.id}`, {
    ...asStaff(),
    [`GET /api/desk/payments/${paymentDetails.id}`]: ok(details),
    [call("evidence")]: ok([{ field: "service_date", title: "Delivered on", text: "2026-01-02" }]),
    [call("contest")]: ok({ ...paymentDetails }),
    [call("accept-dispute")]: ok({ ...paymentDetails }),
  });
  const card = within(await screen.findByRole("region", { name: "Dispute" }));
  card.getByText("The cardholder says they didn't make this payment.");
  card.getByText(/The bank took USD 9\.99/);
  card.getByText(/Both answers are final/);
  await user.click(card.getByRole("button", { name: "Contest dispute" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Contest dispute" }));
  await dialog.findByText("2026-01-02");
  await user.type(dialog.getByLabelText("Your own words"), "She uses it daily.");
  await user.type(dialog.getByLabelText("Reason"), "A real sale");
  await user.click(dialog.getByRole("button", { name: "Contest dispute" }));
  await toastSaying("The evidence is with the bank");
  expect(sent(call("contest"))).toEqual([{ text: "She uses it daily.", reason: "A real sale" }]);
  await user.click(card.getByRole("button", { name: "Accept dispute" }));
  const accept = within(await screen.findByRole("dialog", { name: "Accept dispute" }));
  accept.getByText("The buyer keeps USD 9.99, and the licenses of this payment end.");
  await user.type(accept.getByLabelText("Reason"), "They are right{Enter}");
  await toastSaying("The dispute is accepted");
});

test("an inquiry offers a refund instead of accepting", async () => {
  visit(`/desk/payments/${paymentDetails.id}`, {
    ...asStaff(),
    [`GET /api/desk/payments/${paymentDetails.id}`]: ok(disputedAt("warning_needs_response", null)),
  });
  const card = within(await screen.findByRole("region", { name: "Inquiry" }));
  expect(card.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
    "Send evidence",
    "Refund",
  ]);
});

test("support reads the dispute, and that an owner has to answer it", async () => {
  visit(`/desk/payments/${paymentDetails.id}`, {
    ...asStaff("support"),
    [`GET /api/desk/payments/${paymentDetails.id}`]: ok(
      disputedAt("needs_response", paymentDetails.created_at),
    ),
  });
  const card = within(await screen.findByRole("region", { name: "Dispute" }));
  card.getByText("An owner has to answer it.");
  expect(card.queryByRole("button")).toBeNull();
});

test("a payment tells what became of its receipt, and one press sends it again", async () => {
  const at = paymentDetails.created_at;
  const email = {
    letter: "receipt" as const,
    to: "ada@example.com",
    accepted_at: null,
    refused_at: at,
    words: "550 5.1.1 No such user",
    waiting_since: null,
    next_try_at: null,
    sent_again_at: null,
  };
  const call = `POST /api/desk/payments/${paymentDetails.id}/resend`;
  const { user, sent } = visit(`/desk/payments/${paymentDetails.id}`, {
    ...asStaff("support"),
    [`GET /api/desk/payments/${paymentDetails.id}`]: ok({
      ...paymentDetails,
      status: "succeeded",
      emails: [email],
    }),
    [call]: ok(paymentDetails),
  });
  const card = within(await screen.findByRole("region", { name: "Emails" }));
  card.getByText(/The mail server refused it on .*, and said “550 5\.1\.1 No such user”\./);
  await user.click(card.getByRole("button", { name: "Send again to ada@example.com" }));
  await toastSaying("1 email is on the way");
  expect(sent(call)).toEqual([{}]);
});

test("a payment tells its card, the buyer's country, what Stripe kept and when it was paid out", async () => {
  visit(`/desk/payments/${paymentDetails.id}`, asStaff());
  const order = within(await screen.findByLabelText("Order"));
  order.getByText("Visa ending 4242");
  order.getByText("Germany");
  const bill = within(screen.getByLabelText("Bill"));
  bill.getByText("USD 0.59");
  bill.getByText("Paid out");
});

for (const { status, since, shown } of [
  { status: "needs_response", since: paymentDetails.created_at, shown: false },
  { status: "lost", since: paymentDetails.created_at, shown: false },
  { status: "warning_needs_response", since: null, shown: true },
  { status: "won", since: null, shown: true },
]) {
  test(`a payment whose dispute is at ${status} is ${shown ? "" : "not "}offered to be refunded`, async () => {
    const dispute = { status, since, reason: "fraudulent", amount: 999, currency: "usd", due: null };
    visit(`/desk/payments/${paymentDetails.id}`, {
      ...asStaff(),
      [`GET /api/desk/payments/${paymentDetails.id}`]: ok({ ...paymentDetails, dispute }),
    });
    await screen.findByRole("button", { name: "More operations" });
    expect(screen.queryByRole("button", { name: "Refund" }) !== null).toBe(shown);
    expect(screen.queryByText("Kept by the bank") !== null).toBe(status === "lost");
  });
}

test("what support has proposed is not offered again before an owner decides it", async () => {
  const open = async (asked: Pick<typeof paymentDetails, "refunds" | "corrections">) => {
    const { unmount } = visit(path, {
      ...asStaff("support"),
      [details]: ok({ ...paymentDetails, ...asked }),
    });
    await screen.findByRole("button", { name: "Resend email" });
    const offered = [
      screen.queryByRole("button", { name: "Propose refund" }) !== null,
      screen.queryByRole("button", { name: "Propose address" }) !== null ||
        screen.queryByRole("button", { name: "More operations" }) !== null,
    ];
    unmount();
    return offered;
  };
  expect(await open({ refunds: [], corrections: [] })).toEqual([true, true]);
  expect(await open({ refunds: [refundRow], corrections: [correctionRow] })).toEqual([false, false]);
  const declined = { refunds: [{ ...refundRow, state: "declined" as const }], corrections: [] };
  expect(await open(declined)).toEqual([true, true]);
});
