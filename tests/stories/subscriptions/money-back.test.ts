import { expect, test } from "bun:test";
import { settle } from "@/domain/payments/settlement/settle";
import { refundPayment } from "@/domain/payments/corrections/refund-payment";
import { eventually } from "../../support/shop/stage";
import {
  by,
  openSubscriptionShop,
  pass,
  paymentOf,
  renewalsHeld,
  seenBy,
  settleAll,
  subscriber,
} from "./subscriber";

test("staff may refund the current invoice and keep licence and subscription, also in a database made anew", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, session } = await subscriber(stage);
  const wanted = { amount: null, keeps: true, by };
  const done = await refundPayment(stage.ctx, stage.shop.checkout, await paymentOf(stage, session), wanted);
  expect(done.refund).toMatchObject({ state: "made", amount: 300 });
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({ status: "active", graceDays: 3, licence: { active: true } });
  await stage.ctx.store.client.execute("UPDATE payments SET refund_keeps = 0, refunded_amount = 0");
  await settle(stage.ctx, stage.shop.checkout, session);
  expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true } });
  await pass(stage, 32);
  expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true } });
});

test("the email of a refunded renewal says that the license has ended, and of an earlier one that it stays active", async () => {
  await using stage = await openSubscriptionShop();
  const { session } = await subscriber(stage);
  await pass(stage, 32);
  const refundMail = async (count: number) => {
    await settleAll(stage);
    const mails = await eventually(
      () => stage.mail.messages("ada@example.com").filter(({ subject }) => subject.includes("refunded")),
      (all) => all.length === count,
    );
    return mails[0]?.text;
  };
  await stage.atStripe("refund", { session });
  expect(await refundMail(1)).toMatch(/License …\w+ stays active\./);
  const [renewal = ""] = await renewalsHeld(stage);
  await stage.atStripe("refund", { session: renewal });
  expect(await refundMail(2)).toMatch(/License …\w+ has ended\./);
});
