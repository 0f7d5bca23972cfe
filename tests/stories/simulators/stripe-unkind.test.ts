import { expect, test } from "bun:test";
import type Stripe from "stripe";
import { idOf, objectOf, startBilling } from "../../support/stripe/billing";

const once: Partial<Stripe.Checkout.SessionCreateParams> = {
  mode: "payment",
  line_items: [
    { quantity: 1, price_data: { currency: "usd", unit_amount: 500, product_data: { name: "A" } } },
  ],
};

/** A one-time order; `order()` of the subscriptions names what only they may have. */
async function bought(billing: Awaited<ReturnType<typeof startBilling>>, outcome: string) {
  const { id } = await billing.stripe.checkout.sessions.create({
    ...once,
    success_url: "http://shop.test/success",
  });
  await billing.control("pay", { session: id, outcome, email: "mia@example.com" });
  return id;
}

test("a voucher, a bank transfer or small deposits leave the session complete and unpaid, without a charge", async () => {
  await using billing = await startBilling();
  const actions = {
    voucher: "boleto_display_details",
    transfer: "display_bank_transfer_instructions",
    deposits: "verify_with_microdeposits",
  };
  for (const [outcome, type] of Object.entries(actions)) {
    const id = await bought(billing, outcome);
    const look = () => billing.stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] });
    const session = await look();
    expect(session).toMatchObject({ status: "complete", payment_status: "unpaid" });
    expect(session.payment_intent).toMatchObject({
      status: "requires_action",
      next_action: { type },
      latest_charge: null,
    });
    billing.pass(4);
    await billing.control("settle", { session: id, outcome: "succeed" });
    const paid = await look();
    expect(paid.payment_status).toBe("paid");
    expect(paid.payment_intent).toMatchObject({
      status: "succeeded",
      next_action: null,
      amount_received: 500,
    });
  }
  expect(await billing.events("checkout.session.async")).toEqual(
    Array.from({ length: 3 }, () => "checkout.session.async_payment_succeeded"),
  );
});

test("a voucher that nobody pays in time leaves its intent without a method", async () => {
  await using billing = await startBilling();
  const id = await bought(billing, "voucher");
  await billing.control("settle", { session: id, outcome: "fail" });
  const session = await billing.stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] });
  expect(objectOf(session.payment_intent)).toMatchObject({
    status: "requires_payment_method",
    last_payment_error: { code: "payment_intent_payment_attempt_expired" },
  });
  expect(await billing.events("checkout.session.async")).toEqual(["checkout.session.async_payment_failed"]);
});

test("a subscription's invoices by voucher stay open, each with a voucher of its own", async () => {
  await using billing = await startBilling();
  const { session, subscription: id } = await billing.bought({}, { outcome: "voucher" });
  expect(session.payment_status).toBe("unpaid");
  await billing.control("settle", { session: session.id, outcome: "succeed" });
  billing.pass(29);
  const [renewal, first] = await billing.invoices(id);
  expect([renewal?.status, first?.status]).toEqual(["open", "paid"]);
  const { data } = await billing.stripe.invoicePayments.list({
    invoice: renewal?.id ?? "",
    expand: ["data.payment.payment_intent"],
  });
  expect(data[0]?.payment.payment_intent).toMatchObject({
    status: "requires_action",
    next_action: { type: "boleto_display_details" },
  });
  await billing.control("invoice/settle", { invoice: idOf(renewal?.id), outcome: "succeed" });
  expect((await billing.invoices(id))[0]?.status).toBe("paid");
});
