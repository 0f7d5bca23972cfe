import { afterAll, beforeAll, expect, test } from "bun:test";
import { stripeStep } from "@/operator/setup/steps/stripe";
import { type StripeSimulator, startStripeSimulator } from "@/simulators/stripe/simulator";
import { control as controlAt } from "../../support/network/control";
import { startedSetup } from "../../support/operator/scripted-ui";

let stripe: StripeSimulator;
beforeAll(async () => {
  stripe = await startStripeSimulator({ seed: 1 });
});
afterAll(() => stripe.stop());

const testKeys = () => ({
  STRIPE_SECRET_KEY: stripe.secretKey,
  STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
});
const control = (action: string, body: object) => controlAt(stripe.url, action, body);
const started = (more: Record<string, string> = {}) =>
  startedSetup({ STRIPE_API_URL: stripe.url, PUBLIC_URL: "http://127.0.0.1:3998", ...more });

test("the keys are written once they work, with the secret of an endpoint that is made once", async () => {
  using shop = started();
  const first = await shop.run(stripeStep, {
    STRIPE_SECRET_KEY: ["sk_test_of_nobody", stripe.secretKey],
    STRIPE_PUBLISHABLE_KEY: [stripe.publishableKey, stripe.publishableKey],
  });
  expect(first.said).toMatch(/^Stripe refuses the secret key.*\nThe keys of .+ are of test mode/);
  expect(first.said).toContain("reports to http://127.0.0.1:3998/api/stripe/webhook.");
  const { STRIPE_WEBHOOK_SECRET: secret } = shop.setup.file;
  expect(shop.setup.file).toMatchObject(testKeys());
  expect(secret).toMatch(/^whsec_/);

  const again = await shop.run(stripeStep, {});
  expect(again.asked).toEqual(["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY"]);
  expect(shop.setup.file["STRIPE_WEBHOOK_SECRET"]).toBe(secret);
});

test("an endpoint whose secret was lost is made anew, and the former one deleted", async () => {
  using shop = started({ PUBLIC_URL: "http://127.0.0.1:3997" });
  await shop.run(stripeStep, testKeys());
  const { STRIPE_WEBHOOK_SECRET: lost, ...others } = shop.setup.file;
  shop.setup.file = others;
  const { said } = await shop.run(stripeStep, {});
  expect(said).toMatch(/reports to \S+, in place of we_\w+\./);
  expect(shop.setup.file["STRIPE_WEBHOOK_SECRET"]).not.toBe(lost);
});

test("a key that lacks a permission is named with what fails, and taken only if that is meant", async () => {
  await control("keys", { key: "rk_test_narrow", lacks: ["dispute_write"] });
  using shop = started({ PUBLIC_URL: "http://127.0.0.1:3996" });
  const { said, asked } = await shop.run(stripeStep, {
    STRIPE_SECRET_KEY: ["rk_test_narrow", stripe.secretKey],
    STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
  });
  expect(said).toContain(
    "The key lacks 1 permission:\nDisputes: Write. Without it, disputes can be contested",
  );
  expect(asked.slice(0, 4)).toEqual([
    "STRIPE_SECRET_KEY",
    "STRIPE_PUBLISHABLE_KEY",
    "TAKE_KEY",
    "STRIPE_SECRET_KEY",
  ]);
  expect(shop.setup.file["STRIPE_SECRET_KEY"]).toBe(stripe.secretKey);
});

test("where the key may not make endpoints, what to make is shown, and its secret pasted", async () => {
  await control("keys", { key: "rk_test_sells", lacks: ["webhook_write"] });
  using shop = started({ PUBLIC_URL: "http://127.0.0.1:3995" });
  const { said } = await shop.run(stripeStep, {
    ...testKeys(),
    STRIPE_SECRET_KEY: "rk_test_sells",
    TAKE_KEY: "yes",
    STRIPE_WEBHOOK_SECRET: "whsec_pasted",
  });
  expect(said).toContain("address: http://127.0.0.1:3995/api/stripe/webhook");
  expect(said).toContain("events: checkout.session.completed, ");
  expect(shop.setup.file["STRIPE_WEBHOOK_SECRET"]).toBe("whsec_pasted");
});

test("a Stripe that is away is untested, and the keys are written", async () => {
  using shop = started({ STRIPE_API_URL: "http://127.0.0.1:9" });
  const { said } = await shop.run(stripeStep, testKeys());
  expect(said).toContain("Untested: Stripe can't be reached");
  expect(shop.setup.file).toMatchObject({ ...testKeys(), STRIPE_WEBHOOK_SECRET: "whsec_none" });
});

test("live keys after test keys say what test mode leaves behind, and want the product's name", async () => {
  await control("keys", { key: "sk_live_1" });
  using shop = started({ PUBLIC_URL: "http://127.0.0.1:3994" });
  await shop.run(stripeStep, testKeys());
  const { STRIPE_WEBHOOK_SECRET: testSecret } = shop.setup.file;
  const live = {
    STRIPE_SECRET_KEY: "sk_live_1",
    STRIPE_PUBLISHABLE_KEY: "pk_live_1",
    STRIPE_WEBHOOK_SECRET: "whsec_live",
  };
  const { said } = await shop.run(stripeStep, { ...live, GO_LIVE: ["yes", "Brushwork"] });
  expect(said).toContain(
    "Going live: from now on the shop takes real money. 0 licences of test payments stop working",
  );
  expect(said).toContain("It must be Brushwork.");
  expect(shop.setup.file).toMatchObject({
    STRIPE_SECRET_KEY: "sk_live_1",
    STRIPE_PUBLISHABLE_KEY: "pk_live_1",
  });
  expect(shop.setup.file["STRIPE_WEBHOOK_SECRET"]).not.toBe(testSecret);
});
