import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { operated } from "../../support/operator/run-operator";
import { openStage } from "../../support/shop/stage";
import { checkout, resultOf } from "../../support/people/buyer";

const gift = { email: "bob@example.com", from: "Ada", message: "Happy birthday!" };

test("the browser whose checkout expired learns what to order again; nobody else does", async () => {
  await using stage = await openStage();
  const ada = stage.person();
  const session = await checkout(ada, { gift });
  await stage.atStripe("expire", { session });
  expect(await resultOf(ada, session)).toMatchObject({
    status: "Payment Canceled",
    order_again: { offer: "premium", quantity: 1, gift },
  });
  const seen = await resultOf(stage.person(), session);
  expect(seen.order_again).toBeNull();
  expect(JSON.stringify(seen)).not.toContain(gift.email);
  expect(JSON.stringify(seen)).not.toContain(gift.message);

  const several = await checkout(ada, { quantity: 3 });
  await stage.atStripe("expire", { session: several });
  expect((await resultOf(ada, several)).order_again).toEqual({ offer: "premium", quantity: 3, gift: null });
  stage.advance(2 * day);
  expect((await resultOf(ada, several)).order_again).toBeNull();
});

test("an order that is still open leads back to its own page, so that nobody pays for it twice", async () => {
  await using stage = await openStage();
  const ada = stage.person();
  const opened = await ada.post("/api/stripe/create-checkout-session", { currency: "usd", gift });
  const { id: session, url } = opened.body.data;
  expect(await resultOf(ada, session)).toMatchObject({
    status: "Payment Canceled",
    message: "Your checkout is still open. Nothing was charged.",
    checkout_url: url,
    order_again: null,
  });
  const stranger = await resultOf(stage.person(), session);
  expect(stranger).toMatchObject({ checkout_url: null, order_again: null });
  expect(stranger.message).toBe("The checkout was canceled before it was paid. Nothing was charged.");

  await stage.atStripe("expire", { session });
  expect(await resultOf(ada, session)).toMatchObject({
    checkout_url: null,
    order_again: { offer: "premium", quantity: 1, gift },
  });
});

test("an order is offered again after its bank refused it, never while it is under way, paid or refunded", async () => {
  await using stage = await openStage();
  const ada = stage.person();
  const session = await checkout(ada);
  await stage.atStripe("pay", { session, outcome: "processing" });
  expect(await resultOf(ada, session)).toMatchObject({ status: "Payment Pending", order_again: null });
  await stage.atStripe("settle", { session, outcome: "fail" });
  expect(await resultOf(ada, session)).toMatchObject({
    status: "Payment Failed",
    order_again: { offer: "premium", quantity: 1, gift: null },
  });

  const paid = await checkout(ada);
  await stage.atStripe("pay", { session: paid });
  expect(await resultOf(ada, paid)).toMatchObject({ status: "Payment Successful", order_again: null });
  await stage.atStripe("refund", { session: paid });
  expect(await resultOf(ada, paid)).toMatchObject({ status: "Payment Refunded", order_again: null });
});

test("a payment that does not match its order is not offered again: its money has arrived", async () => {
  await using stage = await openStage({ webhooks: false });
  const ada = stage.person();
  const session = await checkout(ada);
  await stage.atStripe("pay", { session });
  await stage.atStripe("alter", { session, amount_subtotal: 1 });
  expect(await resultOf(ada, session)).toMatchObject({ status: "Payment Failed", order_again: null });
});

test("a pending payment's bill has the discount, so that it says what is due", async () => {
  await using stage = await openStage();
  await operated(stage, "codes", "create", "LAUNCH", "--percent", "20", "--reason", "a story");
  const ada = stage.person();
  const session = await checkout(ada, { code: "LAUNCH" });
  await stage.atStripe("pay", { session, outcome: "processing" });
  const { bill } = await resultOf(ada, session);
  expect(bill).toMatchObject({ asked: 500, off: 100, tax: 0, paid: 0 });
  await stage.atStripe("settle", { session, outcome: "succeed" });
  expect((await resultOf(ada, session)).bill).toMatchObject({ asked: 500, off: 100, tax: 0, paid: 400 });
});

test("keys that nobody can use are named, on the payment and in the list", async () => {
  await using stage = await openStage();
  const ada = stage.person();
  const session = await checkout(ada, { quantity: 3 });
  await stage.atStripe("pay", { session });
  const { license_keys: keys, unusable_keys: none } = await resultOf(ada, session);
  expect(none).toEqual([]);
  await ada.register(keys[0], "ada");
  await operated(stage, "licences", "revoke", keys[1], "--reason", "a story");
  expect((await resultOf(ada, session)).unusable_keys).toEqual([1]);
  await stage.atStripe("refund", { session });
  expect((await resultOf(ada, session)).unusable_keys).toEqual([0, 1, 2]);
  const [row] = (await ada.get("/api/payments")).body.data;
  expect(row).toMatchObject({ id: (await resultOf(ada, session)).order, unusable_keys: [0, 1, 2] });
});
