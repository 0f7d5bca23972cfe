import { expect, test } from "bun:test";
import { changeLicence } from "@/domain/licences/changes/change";
import { licenceOfKey } from "@/domain/licences/keys/find";
import { settle } from "@/domain/payments/settlement/settle";
import { refundPayment } from "@/domain/payments/corrections/refund-payment";
import { eventually } from "../../support/shop/stage";
import {
  atStripeNow,
  by,
  happens,
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

test("the email of a refunded renewal says that the license has ended, and of an earlier one that it goes on", async () => {
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
  expect(await refundMail(1)).toMatch(/License …\w+ goes on\./);
  const [renewal = ""] = await renewalsHeld(stage);
  await stage.atStripe("refund", { session: renewal });
  expect(await refundMail(2)).toMatch(/License …\w+ has ended\./);
});

test("what was paid beside an open dispute stays paid when a later month is refunded", async () => {
  await using stage = await openSubscriptionShop();
  const { session, subscription } = await subscriber(stage);
  await happens(stage, "dispute", { session, status: "needs_response" });
  for (let month = 0; month < 2; month += 1) {
    await pass(stage, 32);
    await settleAll(stage);
  }
  const [newest = "", older = ""] = await renewalsHeld(stage);
  await happens(stage, "refund", { session: newest });
  const held = (await atStripeNow(stage)).find((one) => one.subscription === subscription);
  expect(held?.status).toBe("canceled");
  const back = held?.invoices.map(({ invoice, refunded }) => [invoice, refunded]);
  expect(back).toContainEqual([newest, 300]);
  expect(back).toContainEqual([older, 0]);
});

test.each(["running", "revoked"])(
  "what was paid for a %s license beside an open dispute is given back once the dispute is lost",
  async (state) => {
    await using stage = await openSubscriptionShop();
    const { ada, session, subscription } = await subscriber(stage);
    await happens(stage, "dispute", { session, status: "needs_response" });
    await pass(stage, 32);
    await settleAll(stage);
    const licence = await licenceOfKey(stage.ctx, (await seenBy(ada)).license_key);
    if (state === "revoked" && licence) await changeLicence(stage.ctx, licence, "revoke", by);
    await settleAll(stage);
    const backNow = async () => {
      const held = (await atStripeNow(stage)).find((one) => one.subscription === subscription);
      return held?.invoices.map(({ refunded }) => refunded).toSorted((one, other) => one - other);
    };
    expect(await backNow()).toEqual([0, 0]);
    await happens(stage, "dispute", { session, status: "lost" });
    expect(await backNow()).toEqual([0, 300]);
  },
);
