import { expect, test } from "bun:test";
import { operator } from "@/core/base/actor";
import { acceptDispute, contestDispute } from "@/domain/payments/evidence/evidence";
import { checkoutOfCopy } from "@/domain/payments/port/checkout-of-copy";
import { paymentNamed } from "@/domain/payments/reading/find";
import { atDesk } from "../../support/people/desk";
import { operated } from "../../support/operator/run-operator";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import { happens, openSubscriptionShop, stripeOf, subscriberInArrears } from "../subscriptions/subscriber";

const by = { actor: operator, reason: "a story" };

/** What the log says of answers to disputes. */
async function answersLogged(stage: Stage): Promise<string[]> {
  const entries: { action: string }[] = await operated(stage, "audit", "show");
  return entries
    .map(({ action }) => action)
    .filter((action) => action === "payment.contested" || action === "payment.dispute_accepted");
}

async function disputed(stage: Stage, status = "needs_response") {
  const { sessionId } = await stage.buy("banker@example.com");
  await stage.stripeTells("dispute", { session: sessionId, status });
  return paymentNamed(stage.ctx, sessionId);
}

const statuses = ({ stripe }: Stage) => stripe.ledger.disputes.all().map(({ status }) => status);

/** A renewal that two payments paid, both of which the bank disputes. */
async function disputedTwice() {
  const stage = await openSubscriptionShop();
  const { invoice } = await subscriberInArrears(stage);
  await stage.atStripe("invoice/part", { invoice, amount: 100 });
  const { data } = await stripeOf(stage).invoicePayments.list({ invoice, status: "paid" });
  const part = data[0]?.payment.payment_intent;
  await happens(stage, "invoice/pay", { invoice, card: "4242" });
  await happens(stage, "dispute", { session: part });
  await happens(stage, "dispute", { session: invoice });
  return { stage, sale: await paymentNamed(stage.ctx, invoice) };
}

test("a restored copy neither contests nor accepts a dispute at Stripe", async () => {
  await using stage = await openStage();
  const sale = await disputed(stage);
  const copy = checkoutOfCopy(stage.shop.checkout);
  for (const answer of [acceptDispute, contestDispute])
    expect(await answer(stage.ctx, copy, sale, by).catch((error: unknown) => error)).toMatchObject({
      code: "copy",
    });
  expect(statuses(stage)).toEqual(["needs_response"]);
});
