import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { factOf, keepFact, shopIdFact } from "@/core/database/key-values";
import { writeSettingsFile } from "@/core/settings/settings-file";
import { offersOnSale } from "@/domain/offers/list";
import { endpointSecrets, makeEndpoint } from "@/domain/payments/reconcile/stripe-endpoints";
import { stripeEndpoints } from "@/domain/schema/stripe-endpoints";
import { thisProcess } from "@/domain/system/system";
import { createStripeGateway } from "@/gateways/stripe/gateway";
import { withDatabase } from "@/operator/setup/steps/open";
import { ownerStep } from "@/operator/setup/steps/owner";
import { configSoFar } from "@/operator/setup/steps/state";
import { hasStripe, stripeStep } from "@/operator/setup/steps/stripe";
import { byOperator } from "@/operator/terminal/command-line";
import { type StripeSimulator, startStripeSimulator } from "@/simulators/stripe/simulator";
import { control as controlAt } from "../../support/network/control";
import { openStage } from "../../support/shop/stage";
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

test("keys with characters that no key has are asked for again, and the good ones stay", async () => {
  using shop = started({ ...testKeys(), PUBLIC_URL: "http://127.0.0.1:3988" });
  const { said } = await shop.run(stripeStep, {
    STRIPE_SECRET_KEY: [`${stripe.secretKey}\u200B`, "••••••••", stripe.secretKey],
    STRIPE_PUBLISHABLE_KEY: [`${stripe.publishableKey}\u200B`, stripe.publishableKey],
  });
  expect(said.split("It has characters that no key has: copy it again.")).toHaveLength(4);
  expect(said).not.toContain("Untested");
  expect(shop.setup.file).toMatchObject(testKeys());
});

test("a webhook secret that the settings lost is found in the database, and otherwise the endpoint replaced", async () => {
  using shop = started({ PUBLIC_URL: "http://127.0.0.1:3997" });
  await shop.run(stripeStep, testKeys());
  const { STRIPE_WEBHOOK_SECRET: lost, ...others } = shop.setup.file;
  shop.setup.file = others;
  await shop.run(stripeStep, {});
  expect(shop.setup.file["STRIPE_WEBHOOK_SECRET"]).toBe(lost);
  await forgetEndpoints(shop);
  shop.setup.file = others;
  const { said } = await shop.run(stripeStep, {});
  expect(said).toMatch(/reports to \S+\.\nIt takes the place of we_\w+\./);
  expect(shop.setup.file["STRIPE_WEBHOOK_SECRET"]).not.toBe(lost);
});

const forgetEndpoints = ({ setup }: ReturnType<typeof started>) =>
  withDatabase(setup, (ctx) => commit(ctx.store, [ctx.store.db.delete(stripeEndpoints)]));

test("a key that lacks a permission is named with what fails, and taken only if that is meant", async () => {
  await control("keys", { key: "rk_test_narrow", lacks: ["dispute_write", "subscription_write"] });
  using shop = started({ PUBLIC_URL: "http://127.0.0.1:3996" });
  const { said, asked } = await shop.run(stripeStep, {
    STRIPE_SECRET_KEY: ["rk_test_narrow", stripe.secretKey],
    STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
  });
  expect(said).toContain(
    "The key lacks 1 permission:\nDisputes: Write. Without it, disputes can be contested",
  );
  expect(said).toContain("Only if you sell subscriptions, grant the key too: Subscriptions: Write.");
  expect(asked.slice(0, 4)).toEqual([
    "STRIPE_SECRET_KEY",
    "STRIPE_PUBLISHABLE_KEY",
    "TAKE_KEY",
    "STRIPE_SECRET_KEY",
  ]);
  expect(shop.setup.file["STRIPE_SECRET_KEY"]).toBe(stripe.secretKey);
});

const pasted = `whsec_${"p".repeat(32)}`;

test("where the key may not make endpoints, what to make is shown, and its secret pasted", async () => {
  await control("keys", { key: "rk_test_sells", lacks: ["webhook_write"] });
  using shop = started({ PUBLIC_URL: "http://127.0.0.1:3995" });
  const { said } = await shop.run(stripeStep, {
    ...testKeys(),
    STRIPE_SECRET_KEY: "rk_test_sells",
    TAKE_KEY: "yes",
    STRIPE_WEBHOOK_SECRET: ["whsec_none", pasted],
  });
  expect(said).toContain("It must be whsec_ and at least 20 characters");
  expect(said).toContain("address: http://127.0.0.1:3995/api/stripe/webhook");
  expect(said).toContain("events: checkout.session.completed, ");
  expect(shop.setup.file["STRIPE_WEBHOOK_SECRET"]).toBe(pasted);
});

test("an endpoint that can't be made now doesn't stop set-up, and the keys are kept", async () => {
  await control("keys", { key: "rk_test_later", lacks: ["webhook_write"] });
  using shop = started({ PUBLIC_URL: "http://127.0.0.1:3984" });
  const answers = {
    ...testKeys(),
    STRIPE_SECRET_KEY: "rk_test_later",
    TAKE_KEY: "yes",
    STRIPE_WEBHOOK_SECRET: "",
  };
  const { said } = await shop.run(stripeStep, answers);
  expect(said).toContain("Untested: Without an endpoint the shop takes no webhook.");
  const kept = { STRIPE_SECRET_KEY: "rk_test_later", STRIPE_WEBHOOK_SECRET: "whsec_none" };
  expect(shop.setup.file).toMatchObject(kept);
  expect(hasStripe(shop.setup)).toBe(false);
});

test("where Stripe allows no more endpoints and all are others', the keys are kept and the step ends", async () => {
  const others = Array.from({ length: 16 }, () => ({ url: "https://a.example.com/" }));
  await control("webhooks/endpoints", { endpoints: others });
  using shop = started({ PUBLIC_URL: "http://127.0.0.1:3987" });
  const { said, asked } = await shop.run(stripeStep, testKeys());
  expect(said).toContain(
    "Untested: Stripe allows 16 endpoints: delete an unused one in Stripe's dashboard (Developers, Webhooks), and run this again.",
  );
  expect(asked).toEqual(["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY"]);
  expect(shop.setup.file).toMatchObject({ ...testKeys(), STRIPE_WEBHOOK_SECRET: "whsec_none" });
  expect(hasStripe(shop.setup)).toBe(false);
  await control("webhooks/endpoints", { endpoints: [] });
});

test("where Stripe allows no more endpoints, a former one of this shop's makes room", async () => {
  using shop = started({ PUBLIC_URL: "http://127.0.0.1:3986" });
  await shop.run(stripeStep, testKeys());
  const { STRIPE_WEBHOOK_SECRET: lost, ...others } = shop.setup.file;
  const shopId = await withDatabase(shop.setup, (ctx) => factOf(ctx, shopIdFact));
  await forgetEndpoints(shop);
  shop.setup.file = others;
  const url = "http://127.0.0.1:3986/api/stripe/webhook";
  const former = { url, metadata: { shop: shopId } };
  const elsewhere = Array.from({ length: 15 }, () => ({ url: "https://a.example.com/" }));
  await control("webhooks/endpoints", { endpoints: [former, ...elsewhere] });
  const { said } = await shop.run(stripeStep, {});
  expect(said).toContain(
    "this shop's former one, we_0, must be deleted before the new one is made. The shop finds on its own what happens in between.",
  );
  expect(said).toContain(`reports to ${url}.`);
  expect(shop.setup.file["STRIPE_WEBHOOK_SECRET"]).toMatch(/^whsec_\w{20}/);
  expect(shop.setup.file["STRIPE_WEBHOOK_SECRET"]).not.toBe(lost);

  // all of this shop's, and a process that may need their secret
  await forgetEndpoints(shop);
  shop.setup.file = others;
  await control("webhooks/endpoints", { endpoints: Array.from({ length: 16 }, () => former) });
  await withDatabase(shop.setup, (ctx) => thisProcess(ctx, { settings: "one", brand: "one" }).note());
  const kept = await shop.run(stripeStep, {});
  expect(kept.asked).toContain("REPLACE_ENDPOINT");
  expect(kept.said).toContain("Untested: Stripe allows 16 endpoints");
  const { said: replaced } = await shop.run(stripeStep, { REPLACE_ENDPOINT: "yes" });
  expect(replaced).toMatch(/It takes the place of (we_\d+(, )?){15}\./);
  await control("webhooks/endpoints", { endpoints: [] });
});

test("a Stripe that is away is untested, and the keys are written", async () => {
  using shop = started({ STRIPE_API_URL: "http://127.0.0.1:9" });
  const { said } = await shop.run(stripeStep, testKeys());
  expect(said).toContain("Untested: Stripe can't be reached");
  expect(shop.setup.file).toMatchObject({ ...testKeys(), STRIPE_WEBHOOK_SECRET: "whsec_none" });
  expect(hasStripe(shop.setup)).toBe(false);
});

test("live keys after test keys say what test mode leaves behind, and want the product's name", async () => {
  await control("keys", { key: "sk_live_1" });
  using shop = started({ PUBLIC_URL: "http://127.0.0.1:3994" });
  await shop.run(stripeStep, testKeys());
  const { STRIPE_WEBHOOK_SECRET: testSecret } = shop.setup.file;
  const live = {
    STRIPE_SECRET_KEY: "sk_live_1",
    STRIPE_PUBLISHABLE_KEY: "pk_live_1",
    STRIPE_WEBHOOK_SECRET: pasted,
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

test("no shop begins while Stripe has orders of an earlier one, unless that is meant", async () => {
  await using stage = await openStage();
  await stage.buy();
  using shop = startedSetup({ STRIPE_API_URL: stage.stripe.url, PUBLIC_URL: "http://127.0.0.1:3993" });
  const { secretKey, publishableKey } = stage.stripe;
  const keys = { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey };
  const why = (error: Error) => error.message;
  expect(await shop.run(stripeStep, keys).catch(why)).toContain(
    "is empty, but Stripe has orders of this shop",
  );
  expect(await shop.run(ownerStep, {}).catch(why)).toContain("Set up Stripe first");
  expect(existsSync(join(shop.setup.dataDir, "shop.db"))).toBe(false);
  await shop.run(stripeStep, { ...keys, BEGIN_ANOTHER: "yes" });
  expect(existsSync(join(shop.setup.dataDir, "shop.db"))).toBe(true);
});

test("the first offer goes on sale with the price that was just chosen", async () => {
  using shop = started({ PUBLIC_URL: "http://127.0.0.1:3992" });
  await shop.run(stripeStep, testKeys());
  const [offer] = await withDatabase(shop.setup, offersOnSale);
  expect(offer).toMatchObject({ amount: 2900, currency: "usd" });
});

test("a running shop accepts a new endpoint's secret before its restart, which is asked for", async () => {
  using shop = started({ PUBLIC_URL: "http://127.0.0.1:3991" });
  await shop.run(stripeStep, testKeys());
  const note = (ctx: Ctx) => thisProcess(ctx, { settings: "one", brand: "one" }).note();
  await withDatabase(shop.setup, note);
  const { STRIPE_WEBHOOK_SECRET: lost = "", ...others } = shop.setup.file;
  await forgetEndpoints(shop);
  shop.setup.file = others;
  const { said, asked } = await shop.run(stripeStep, {});
  expect(said).toContain("The shop is running: restart it");
  expect(asked).toContain("REPLACE_ENDPOINT");
  expect(said).not.toContain("takes the place of");
  const { STRIPE_WEBHOOK_SECRET: secret = "" } = shop.setup.file;
  expect(secret).not.toBe(lost);
  expect(await withDatabase(shop.setup, endpointSecrets)).toContain(secret);
});

test("an endpoint that a command made is set-up's as well", async () => {
  using shop = started({ PUBLIC_URL: "http://127.0.0.1:3990" });
  await shop.run(stripeStep, testKeys());
  const { stripe: access, sales, publicUrl } = configSoFar(shop.setup);
  const made = await withDatabase(shop.setup, (ctx) =>
    makeEndpoint(
      ctx,
      createStripeGateway(access!, sales, publicUrl),
      "http://127.0.0.1:3990/api/stripe/webhook",
      byOperator("a story"),
    ),
  );
  shop.setup.file = { ...shop.setup.file, STRIPE_WEBHOOK_SECRET: made.secret };
  writeSettingsFile(shop.setup.dataDir, shop.setup.file);
  const { said } = await shop.run(stripeStep, {});
  expect(said).toContain(`Stripe's endpoint ${made.id} reports to`);
  expect(said).toContain("It takes the place of");
  expect(said).not.toContain("Not made by this shop");
});

test("keys of another account want the product's name", async () => {
  using shop = started({ PUBLIC_URL: "http://127.0.0.1:3989" });
  await shop.run(stripeStep, testKeys());
  await withDatabase(shop.setup, (ctx) =>
    commit(ctx.store, [keepFact(ctx, "stripe_account", "acct_before")]),
  );
  const { said, asked } = await shop.run(stripeStep, { GO_LIVE: "Brushwork" });
  expect(said).toContain("of another Stripe account, acct_1DemoShop, than the shop's so far, acct_before");
  expect(asked).toContain("GO_LIVE");
  expect((await shop.run(stripeStep, {})).asked).not.toContain("GO_LIVE");
});
