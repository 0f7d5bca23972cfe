import { expect, test } from "bun:test";
import { utcDay } from "@/contract/vocabulary/dates";
import { subscriptionStatusText } from "@/web/parts/licence/subscription-words";
import { operate, operated } from "../../support/operator/run-operator";
import { nextChargeText } from "@/contract/vocabulary/next-charge";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { CheckoutRefused } from "@/domain/payments/port/stripe";
import { settleSubject } from "@/domain/payments/settlement/settle";
import { remindOfRenewals } from "@/domain/payments/subscriptions/remind";
import { eventually, type Stage } from "../../support/shop/stage";
import { openSubscriptionShop, pass, settleAll, subscriber } from "./subscriber";

const why = ["--reason", "a story"];

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
    await operated(stage, "codes", "create", "HALF", "--percent", "50", "--for", "once", ...why);
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

/** The shop's gateway, at which Stripe says what is charged next only while `answers`. */
function previewing({ shop: { checkout } }: Stage) {
  const preview = { answers: false, asked: 0 };
  const previewNext = (held: Parameters<typeof checkout.previewNext>[0]) => {
    preview.asked += 1;
    return preview.answers
      ? checkout.previewNext(held)
      : Promise.reject(new CheckoutRefused("The customer's location isn't recognized"));
  };
  return { preview, gateway: { ...checkout, previewNext } };
}

test("a next charge that Stripe does not say is asked for once an hour, and is meanwhile shown as its price less codes", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  const { preview, gateway } = previewing(stage);
  const look = () => settleSubject(stage.ctx, gateway, { subscription });
  for (let time = 0; time < 3; time += 1) await look();
  expect(preview.asked).toBe(1);
  expect((await ada.get("/api/subscriptions")).body.data).toMatchObject([{ status: "active", amount: 300 }]);
  preview.answers = true;
  stage.advance(hour);
  for (let time = 0; time < 3; time += 1) await look();
  expect(preview.asked).toBe(4);
});

async function isReminded({ shop, mail }: Stage): Promise<boolean> {
  await shop.worker.drain();
  return mail
    .messages("ada@example.com")
    .some(({ subject }) => subject === "Your trial of A month ends soon");
}

test("the mail of a coming charge waits for what Stripe says of it, an hour at most", async () => {
  await using stage = await openSubscriptionShop(14);
  const { subscription } = await subscriber(stage);
  const { gateway } = previewing(stage);
  stage.stripe.setWebhookUrl(null);
  stage.advance(8 * day);
  await settleSubject(stage.ctx, gateway, { subscription });
  await remindOfRenewals(stage.ctx);
  expect(await isReminded(stage)).toBe(false);
  // meanwhile the shop looks again, and Stripe says it
  stage.advance(20 * minute);
  await eventually(() => isReminded(stage));
});

test("the mail of a coming charge goes out after an hour though Stripe never says its amount", async () => {
  await using stage = await openSubscriptionShop(14);
  const { subscription } = await subscriber(stage);
  const { gateway } = previewing(stage);
  await stage.shop.worker.drain();
  stage.stripe.setWebhookUrl(null);
  stage.advance(8 * day);
  await settleSubject(stage.ctx, gateway, { subscription });
  await remindOfRenewals(stage.ctx);
  await stage.atStripe("faults", { api: { away: true } });
  stage.advance(50 * minute);
  expect(await isReminded(stage)).toBe(false);
  stage.advance(20 * minute);
  await eventually(() => isReminded(stage));
});

test("an estimate of the next charge says that tax comes on top, where the shop adds tax", async () => {
  await using stage = await openSubscriptionShop(14, { TAX: "stripe" });
  const { ada, subscription } = await subscriber(stage);
  const { gateway } = previewing(stage);
  const [known] = (await ada.get("/api/subscriptions")).body.data;
  expect(known.plus_tax).toBeUndefined();
  stage.stripe.setWebhookUrl(null);
  await settleSubject(stage.ctx, gateway, { subscription });
  const [one] = (await ada.get("/api/subscriptions")).body.data;
  expect(one).toMatchObject({ status: "trialing", amount: 300, plus_tax: true });
  const { rows } = await stage.ctx.store.client.execute("SELECT id FROM subscriptions");
  const { out } = await operate(stage, "subscriptions", "show", rows[0]?.["id"] as string);
  expect(out).toContain("USD 3.00 plus tax");
  const next = { amount: 300, currency: "usd", every: "month", trial: false, reduced: false } as const;
  expect(nextChargeText({ ...next, plus_tax: true }, "May 1, 2026")).toBe(
    "Renews on May 1, 2026 for USD 3.00 plus tax, until you cancel.",
  );
  expect(subscriptionStatusText({ ...one, renews_at: "2026-05-01T12:00:00.000Z" }, "Premium")).toBe(
    "Free until May 1, 2026, then USD 3.00 plus tax.",
  );
});
