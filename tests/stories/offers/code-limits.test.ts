import { expect, test } from "bun:test";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import { operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { atStripeNow, openSubscriptionShop, settleAll, stripeOf } from "../subscriptions/subscriber";

const why = ["--reason", "a test"];

const makeCode = (stage: Stage, code: string, ...more: string[]) =>
  operated(stage, "codes", "create", code, ...more, ...why);

async function open(stage: Stage, order: object, person = stage.person()): Promise<string> {
  const wanted = { currency: "usd", offer: "premium", ...order };
  return (await person.post("/api/stripe/create-checkout-session", wanted)).body.data.id;
}
const pay = (stage: Stage, session: string, more: object = {}) =>
  stage.atStripe("pay", { session, email: "ada@example.com", ...more });

async function seen(stage: Stage, session: string): Promise<string> {
  return (await stage.person().get(`/api/stripe/verify-payment?session_id=${session}`)).body.data.status;
}
const statusOf = async (stage: Stage, session: string) =>
  (await stripeOf(stage).checkout.sessions.retrieve(session)).status;
const overLimit = (stage: Stage) => stage.lines.filter((line) => line.includes("used up before"));

test("a code created again under the name of a used-up one has its own uses", async () => {
  await using stage = await openStage();
  for (const name of ["LAUNCH", "LAUNCH"]) {
    await makeCode(stage, name, "--percent", "100", "--uses", "1");
    const session = await open(stage, { code: name });
    await pay(stage, session);
    expect(await seen(stage, session)).toBe("Payment Successful");
  }
});

test("once a code is used up every other open checkout that bears it is expired, and none besides", async () => {
  await using stage = await openStage();
  await makeCode(stage, "HALF", "--percent", "50", "--uses", "2");
  await makeCode(stage, "OTHER", "--percent", "50", "--uses", "2");
  const [first, second, third] = [
    await open(stage, { code: "HALF" }),
    await open(stage, { code: "half" }),
    await open(stage, { code: "HALF" }),
  ];
  const typed = await open(stage, {});
  await stage.atStripe("code", { session: typed, code: "HALF" });
  const plain = await open(stage, {});
  const other = await open(stage, { code: "OTHER" });
  const { id: code } = (await stripeOf(stage).promotionCodes.list({ code: "HALF" })).data[0] ?? { id: "" };
  const { id: foreign } = await stripeOf(stage).checkout.sessions.create({
    mode: "payment",
    line_items: [
      { quantity: 1, price_data: { currency: "usd", unit_amount: 900, product_data: { name: "x" } } },
    ],
    discounts: [{ promotion_code: code }],
    success_url: "https://another.example.com/",
  });
  const open7 = [second, third, typed, plain, other, foreign];
  const statuses = () => Promise.all(open7.map((session) => statusOf(stage, session)));
  await pay(stage, first);
  await settleAll(stage);
  expect(await statuses()).toEqual(open7.map(() => "open"));
  await pay(stage, second);
  await settleAll(stage);
  expect(await statuses()).toEqual(["complete", "expired", "expired", "open", "open", "open"]);
  expect(await seen(stage, third)).toBe("Payment Canceled");
  expect(overLimit(stage)).toEqual([]);
});

test("a code that is used up is switched off at Stripe", async () => {
  await using stage = await openStage({ webhooks: false });
  await makeCode(stage, "ONE", "--percent", "50", "--uses", "1");
  const [first, second] = [await open(stage, { code: "ONE" }), await open(stage, { code: "ONE" })];
  await pay(stage, first);
  expect(await seen(stage, first)).toBe("Payment Successful");
  await stage.shop.worker.drain();
  expect(await statusOf(stage, second)).toBe("expired");
  const { promotionCodes } = (await stage.atStripe("ledger", undefined as never)) as {
    promotionCodes?: { active: boolean }[];
  };
  expect(promotionCodes?.map(({ active }) => active) ?? [false]).toEqual([false]);
});

test("an order with a used-up code that was paid all the same is sold, and staff are notified once", async () => {
  await using stage = await openStage({ webhooks: false });
  await makeCode(stage, "NINETY", "--percent", "90", "--uses", "1");
  const sessions = [await open(stage, { code: "NINETY" }), await open(stage, { code: "NINETY" })];
  for (const session of sessions) await pay(stage, session);
  for (const session of [...sessions, ...sessions])
    expect(await seen(stage, session)).toBe("Payment Successful");
  await stage.shop.worker.drain();
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT intent_id FROM payments ORDER BY created_at, id",
  );
  expect(overLimit(stage)).toHaveLength(1);
  expect(overLimit(stage)[0]).toContain(rows[1]?.["intent_id"] as string);
});

test("an order whose money is on its way holds a use until it fails", async () => {
  await using stage = await openStage({ webhooks: false });
  await operated(stage, "offers", "add", "week", "--name", "A week", "--amount", "900", ...why);
  await makeCode(stage, "FIVE", "--amount", "500", "--uses", "1");
  const [debit, free] = [
    await open(stage, { offer: "week", code: "FIVE" }),
    await open(stage, { code: "FIVE" }),
  ];
  await pay(stage, debit, { outcome: "processing" });
  await pay(stage, free);
  expect([await seen(stage, debit), await seen(stage, free)]).toEqual(["Payment Pending", "Payment Failed"]);
  await stage.atStripe("settle", { session: debit, outcome: "fail" });
  expect([await seen(stage, debit), await seen(stage, free)]).toEqual([
    "Payment Failed",
    "Payment Successful",
  ]);
});

test("an order on its way that is paid holds the same use, and staff are told nothing", async () => {
  await using stage = await openStage({ webhooks: false });
  await makeCode(stage, "HALF", "--percent", "50", "--uses", "1");
  const debit = await open(stage, { code: "HALF" });
  await pay(stage, debit, { outcome: "processing" });
  expect(await seen(stage, debit)).toBe("Payment Pending");
  await stage.atStripe("settle", { session: debit, outcome: "succeed" });
  expect(await seen(stage, debit)).toBe("Payment Successful");
  await stage.shop.worker.drain();
  expect(overLimit(stage)).toEqual([]);
});

test("a refund in full gives the use back, and a database that was lost counts the same", async () => {
  await using stage = await openStage({ webhooks: false });
  await operated(stage, "offers", "add", "week", "--name", "A week", "--amount", "900", ...why);
  await makeCode(stage, "FIVE", "--amount", "500", "--uses", "1");
  const [paid, free] = [
    await open(stage, { offer: "week", code: "FIVE" }),
    await open(stage, { code: "FIVE" }),
  ];
  await pay(stage, paid);
  await stage.ctx.store.client.batch(["DELETE FROM licences", "DELETE FROM payments"], "write");
  await reconcilePayments(stage.ctx, stage.shop.checkout);
  await pay(stage, free);
  expect(await seen(stage, free)).toBe("Payment Failed");
  await stage.atStripe("refund", { session: paid });
  await seen(stage, paid);
  expect(await seen(stage, free)).toBe("Payment Successful");
});

for (const [what, trialDays] of [
  ["a subscription that a code makes free", null],
  ["a trial with a code", 7],
] as const) {
  test(`${what} sells nothing beyond the code's uses, and is cancelled at once`, async () => {
    await using stage = await openSubscriptionShop(trialDays);
    stage.stripe.setWebhookUrl(null);
    await makeCode(stage, "FREE", "--percent", "100", "--for", "forever", "--uses", "1");
    const order = { offer: "month", code: "FREE" };
    const sessions = [await open(stage, order), await open(stage, order)];
    for (const [at, session] of sessions.entries())
      await pay(stage, session, { email: `buyer${at}@example.com`, card: at === 0 ? "4242" : "4444" });
    const [first = "", second = ""] = sessions;
    expect([await seen(stage, first), await seen(stage, second)]).toEqual([
      "Payment Successful",
      "Payment Failed",
    ]);
    await settleAll(stage);
    const held = await atStripeNow(stage);
    expect(held.map(({ status }) => status).toSorted()).toEqual(
      [trialDays === null ? "active" : "trialing", "canceled"].toSorted(),
    );
  });
}

test("twenty free orders at once take no more than a code's uses", async () => {
  await using stage = await openStage({ webhooks: false });
  await makeCode(stage, "THREE", "--percent", "100", "--uses", "3");
  const sessions: string[] = [];
  for (let at = 0; at < 20; at += 1) sessions.push(await open(stage, { code: "THREE" }));
  for (const session of sessions) await pay(stage, session);
  const all = await Promise.all(sessions.map((session) => seen(stage, session)));
  expect(all.filter((one) => one === "Payment Successful")).toHaveLength(3);
});
