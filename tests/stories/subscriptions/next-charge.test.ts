import { expect, test } from "bun:test";
import { utcDay } from "@/contract/dates";
import { operated } from "../../support/operator/run-operator";
import { eventually, openStage } from "../../support/shop/stage";
import { checkout, openSubscriptionShop, pass, settleAll, subscriber } from "./subscriber";

test.each([
  [14, null, (on: string) => `Free until ${on}. Then USD 3.00 every month, until you cancel.`],
  [
    14,
    "HALF",
    (on: string) =>
      `Free until ${on}. Then USD 1.50 for the first month, and it renews every month until you cancel.`,
  ],
  [null, null, (on: string) => `Renews on ${on} for USD 3.00, until you cancel.`],
  [null, "HALF", (on: string) => `Renews on ${on} for USD 3.00, until you cancel.`],
])(
  "who subscribes after %p trial days with the code %p learns on the page and by email what is charged next",
  async (trialDays, code, text) => {
    await using stage = await openSubscriptionShop(trialDays);
    await operated(
      stage,
      "codes",
      "create",
      "HALF",
      "--percent",
      "50",
      "--for",
      "once",
      "--reason",
      "a story",
    );
    const { ada, session, subscription } = await subscriber(stage, code ?? undefined);
    const seen = async (person = ada) =>
      (await person.get(`/api/stripe/verify-payment?session_id=${session}`)).body.data.next_charge;
    const [one] = (await ada.get("/api/subscriptions")).body.data;
    expect(await seen()).toEqual({
      at: one.renews_at,
      amount: trialDays !== null && code ? 150 : 300,
      currency: "usd",
      every: "month",
      trial: trialDays !== null,
      reduced: trialDays !== null && code !== null,
    });
    expect(await seen(stage.person())).toBeNull();
    await settleAll(stage);
    const mails = await eventually(
      () => stage.mail.messages("ada@example.com"),
      (all) => all.some(({ subject }) => subject.includes("receipt")),
    );
    const receipt = mails.find(({ subject }) => subject.includes("receipt"));
    expect(receipt?.text?.replaceAll(/\s+/g, " ")).toContain(text(utcDay(new Date(one.renews_at))));
    await stage.atStripe("subscription/cancel", { subscription, at: "period_end" });
    await pass(stage, 1);
    expect(await seen()).toBeNull();
  },
);

test("what is paid once has no next charge", async () => {
  await using stage = await openStage();
  const buyer = stage.person();
  const session = await checkout(buyer, "premium");
  await stage.atStripe("pay", { session, email: "ada@example.com" });
  const { body } = await buyer.get(`/api/stripe/verify-payment?session_id=${session}`);
  expect(body.data).toMatchObject({ status: "Payment Successful", next_charge: null });
});
