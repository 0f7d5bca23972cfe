import { expect, test } from "bun:test";
import type { Stage } from "../../support/shop/stage";
import { atStripeNow, checkout, openSubscriptionShop, pass, seenBy, settleAll } from "./subscriber";

const password = "a long enough phrase";

/** A customer whose bank is debited, which takes days. */
async function debited(stage: Stage) {
  const ada = stage.person();
  await ada.register(await stage.handOut(1), "ada", password);
  const session = await checkout(ada);
  await stage.atStripe("pay", { session, outcome: "processing", email: "ada@example.com" });
  await settleAll(stage);
  const pending = await ada.get(`/api/stripe/verify-payment?session_id=${session}`);
  expect(pending.body.data).toMatchObject({ status: "Payment Pending", license_key: null });
  await stage.atStripe("settle", { session, outcome: "succeed" });
  await settleAll(stage);
  return ada;
}

const newest = async (stage: Stage) => {
  const [one] = await atStripeNow(stage);
  const open = one?.invoices.find(({ status }) => status === "open");
  if (!open) throw new Error("no open invoice");
  return open.invoice;
};

test("while a renewal's bank debit is on its way the grace goes on, and one that fails is past due", async () => {
  await using stage = await openSubscriptionShop();
  const ada = await debited(stage);
  expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true } });
  await pass(stage, 31);
  const invoice = await newest(stage);
  await pass(stage, 5);
  expect(await seenBy(ada)).toMatchObject({ licence: { active: true } });
  await stage.atStripe("invoice/settle", { invoice, outcome: "fail" });
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({
    status: "past_due",
    licence: { active: false, status: "expired" },
  });
});

test("a renewal's bank debit that arrives is a payment like any other", async () => {
  await using stage = await openSubscriptionShop();
  const ada = await debited(stage);
  await pass(stage, 31);
  const invoice = await newest(stage);
  await pass(stage, 5);
  await stage.atStripe("invoice/settle", { invoice, outcome: "succeed" });
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({ status: "active", graceDays: 3, licence: { active: true } });
});
