import { expect, test } from "bun:test";
import { idOf, objectOf, order, prices, refusal, startBilling } from "../../support/stripe/billing";

test("a card that asks has the buyer confirm on their bank's page, and refusing takes nothing", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { id, url } = await stripe.checkout.sessions.create(await order(stripe));
  expect(await (await pay(url, "4000 0027 6000 3184")).text()).toContain("Is this you?");
  const answer = (given: string) => {
    const body = new URLSearchParams({ email: "mia@example.com", name: "Mia", asked: "3184", answer: given });
    return fetch(String(url), { method: "POST", redirect: "manual", body });
  };
  expect(await (await answer("refuse")).text()).toContain("unable to authenticate");
  expect((await stripe.checkout.sessions.retrieve(id)).status).toBe("open");
  expect((await answer("confirm")).status).toBe(303);
  const session = await stripe.checkout.sessions.retrieve(id, { expand: ["subscription"] });
  expect(objectOf(session.subscription).status).toBe("active");
  // this card asks at each renewal too
  billing.pass(29);
  expect((await billing.subscription(idOf(session.subscription))).status).toBe("past_due");
});

test("parameters of other modes are refused in Stripe's words", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const begin = async (more: object) =>
    (await refusal(stripe.checkout.sessions.create({ ...(await order(stripe)), ...more }))).message;
  expect(await begin({ customer_creation: "always" })).toContain(
    "only be used in `payment` and `setup` mode",
  );
  expect(await begin({ payment_intent_data: { description: "x" } })).toContain("in `subscription` mode");
  expect(await begin({ invoice_creation: { enabled: true } })).toContain("set to `payment`");
  const { month } = await prices(stripe);
  expect(await begin({ line_items: [{ price: month.id, quantity: 2 }] })).toContain("quantity 1");
});

function pay(url: string | null, number = "4242 4242 4242 4242") {
  const fields = { method: "card", email: "mia@example.com", name: "Mia", expiry: "12 / 34", cvc: "123" };
  const body = new URLSearchParams({ ...fields, number });
  return fetch(String(url), { method: "POST", redirect: "manual", body });
}
