import { afterEach, beforeEach, expect, test } from "bun:test";
import Stripe from "stripe";
import { deleteOldEndpoints, makeWebhookEndpoint, tryStripe } from "@/operator/setup/stripe";
import { type StripeSimulator, startStripeSimulator } from "@/simulators/stripe/simulator";
import { control as controlAt } from "../../support/network/control";

let simulator: StripeSimulator;
let shop: ReturnType<typeof startShop>;

beforeEach(async () => {
  shop = startShop();
  simulator = await startStripeSimulator({ retry: { firstMs: 20, capMs: 50 } });
});
afterEach(async () => {
  await simulator.stop();
  await shop.stop();
});

const control = (action: string, body: object) => controlAt(simulator.url, action, body);
const access = (secretKey = simulator.secretKey) => ({ secretKey, apiUrl: new URL(simulator.url) });
const keys = (secretKey = simulator.secretKey, publishableKey = "pk_test_demo") => ({
  ...access(secretKey),
  publishableKey,
  currency: "usd",
});

test("both keys are tried: mode, account, every permission with what fails without it, and the currency", async () => {
  const tried = await tryStripe({ ...keys(), currency: "eur" });
  expect(tried).toMatchObject({ mode: "test", takesCurrency: true, refused: null, untested: null });
  expect(tried.account).toEqual({ id: "acct_1DemoShop", name: "The demo's shop", canCharge: true });
  expect(tried.permissions.length).toBeGreaterThan(20);
  expect(new Set(tried.permissions.map(({ granted }) => granted))).toEqual(new Set([true]));
  expect(tried.permissions[0]).toEqual({
    name: "rak_checkout_session_write",
    label: "Checkout Sessions: Write",
    without: "no checkout can be opened",
    granted: true,
  });
  expect((await tryStripe({ ...keys(), currency: "xqq" })).takesCurrency).toBe(false);
});

test("a restricted key's missing permissions are named, and the account from Stripe's refusal", async () => {
  await control("keys", {
    key: "rk_test_narrow",
    lacks: ["dispute_write", "webhook_write", "accounts_kyc_basic_read"],
  });
  const { permissions, account, refused } = await tryStripe(keys("rk_test_narrow"));
  const lacking = permissions.filter(({ granted }) => granted === false).map(({ label }) => label);
  expect(lacking).toEqual(["Disputes: Write", "Webhook Endpoints: Write"]);
  expect(account).toEqual({ id: "acct_1DemoShop", name: null, canCharge: null });
  expect(refused).toBeNull();
});

test("an account that can't open a checkout yet is told in Stripe's words, and its keys are taken", async () => {
  await control("refuse", { path: "checkout/sessions", as: "nameless" });
  const { refused, untested, permissions } = await tryStripe(keys());
  expect(refused).toBeNull();
  expect(untested).toBe(
    "Stripe opens no checkout for this account yet: In order to use Checkout, you must set an account or business name at https://dashboard.stripe.com/account.",
  );
  expect(permissions.every(({ granted }) => granted)).toBe(true);
});

test("keys that don't belong together are refused", async () => {
  const refusal = async (secret: string, publishable: string) =>
    (await tryStripe(keys(secret, publishable))).refused;
  expect(await refusal("sk_test_demo", "pk_live_demo")).toContain("two of the same mode");
  expect(await refusal("pk_test_demo", "pk_test_demo")).toContain("must begin with sk_test_");
  expect(await refusal("sk_test_demo", "sk_test_demo")).toContain("must begin with pk_test_");
  const rest = "x".repeat(90);
  expect(await refusal("sk_test_demo", `pk_test_51DemoShop${rest}`)).toBeNull();
  expect(await refusal("sk_test_demo", `pk_test_51Another${rest}`)).toContain("another account");
  const unknown = await refusal("sk_test_of_nobody", "pk_test_demo");
  expect(unknown).toContain("Stripe refuses the secret key");
  expect(unknown).not.toContain("nobody");
});

test("a Stripe that is away is untested, whole or from the call on that it didn't answer", async () => {
  await control("faults", { api: { away: true } });
  expect(await tryStripe(keys())).toMatchObject({
    refused: null,
    untested: expect.stringContaining("can't be reached"),
  });
  expect(await makeWebhookEndpoint(wanted())).toMatchObject({ kind: "untested" });
  await control("faults", { api: { away: false, next: [{ path: "/v1/disputes", fail: 500, count: 9 }] } });
  const { permissions, untested, refused } = await tryStripe(keys());
  expect(permissions.map(({ granted }) => granted)).toEqual(expect.arrayContaining([true, null]));
  expect([untested, refused]).toEqual(["Stripe answers with an error (500).", null]);
});

test("an endpoint is made once with every type and our version, kept while its secret is known, and really sent to", async () => {
  const made = await makeWebhookEndpoint(wanted());
  if (made.kind !== "made") throw new Error(made.kind);
  expect(made.secret).toMatch(/^whsec_/);
  const [own] = await listed();
  expect(own).toMatchObject({ id: made.id, url: shop.url, api_version: Stripe.API_VERSION });
  expect(own?.enabled_events).toContainValues(["checkout.session.completed", "invoice.paid"]);
  expect(own?.metadata).toMatchObject({ shop: "shop-1" });
  expect(JSON.stringify(own)).not.toContain(made.secret);
  await pay();
  expect(await shop.got(made.secret)).toEqual(["checkout.session.completed"]);
  expect(await makeWebhookEndpoint(wanted({ knownSecret: made.secret }))).toEqual({
    kind: "kept",
    id: made.id,
    secret: made.secret,
    others: [],
  });
  expect(await listed()).toHaveLength(1);
});

test("a kept endpoint that lacks types or was disabled is mended", async () => {
  const made = await makeWebhookEndpoint(wanted());
  if (made.kind !== "made") throw new Error(made.kind);
  await stripe().webhookEndpoints.update(made.id, { enabled_events: ["payout.paid"], disabled: true });
  const again = await makeWebhookEndpoint(wanted({ knownSecret: made.secret }));
  expect(again).toMatchObject({ kind: "kept", id: made.id });
  expect(await listed()).toMatchObject([
    { status: "enabled", enabled_events: expect.arrayContaining(["refund.failed"]) },
  ]);
});

test("where the secret is unknown a new one is made, and the former goes only when it is written", async () => {
  const first = await makeWebhookEndpoint(wanted());
  const second = await makeWebhookEndpoint(wanted({ knownSecret: "whsec_of_another" }));
  if (second.kind !== "replaced unknown") throw new Error(second.kind);
  expect(await listed()).toHaveLength(2);
  const { stripe: with_, url, shopId } = wanted();
  const gone = await deleteOldEndpoints({ stripe: with_, url, shopId, kept: second.id });
  expect(gone).toEqual({ deleted: "id" in first ? [first.id] : [], reason: null });
  expect((await listed()).map(({ id }) => id)).toEqual([second.id]);
});

test("an endpoint of an older version is replaced", async () => {
  const older = { url: shop.url, api_version: "2019-05-16", metadata: { shop: "shop-1" } };
  await control("webhooks/endpoints", { endpoints: [older] });
  expect(await makeWebhookEndpoint(wanted())).toMatchObject({ kind: "replaced unknown", others: [] });
});

test("endpoints of other shops, other addresses and unknown origin are never touched, and those of our address are told", async () => {
  const endpoints = [
    { url: shop.url },
    { url: shop.url, metadata: { shop: "shop-2" } },
    { url: "http://127.0.0.1:9/elsewhere", metadata: { shop: "shop-1" } },
  ];
  await control("webhooks/endpoints", { endpoints });
  const made = await makeWebhookEndpoint(wanted());
  expect(made).toMatchObject({ kind: "made", others: ["we_0", "we_1"] });
  const { stripe: with_, url, shopId } = wanted();
  await deleteOldEndpoints({ stripe: with_, url, shopId, kept: "id" in made ? made.id : "" });
  expect(await listed()).toMatchObject([...endpoints, { url: shop.url, metadata: { shop: "shop-1" } }]);
});

test("an endpoint of test mode is another than live mode's", async () => {
  const url = shop.url.replace("http:", "https:");
  const test = await makeWebhookEndpoint({ ...wanted(), url });
  await control("keys", { key: "sk_live_shop" });
  const knownSecret = "secret" in test ? test.secret : null;
  const live = await makeWebhookEndpoint({ ...wanted({ secretKey: "sk_live_shop", knownSecret }), url });
  expect(live).toMatchObject({ kind: "made", others: [] });
  expect((await listed()).map(({ id }) => id)).toEqual("id" in test ? [test.id] : []);
});

test("where Stripe has as many endpoints as it allows, one of this shop's can be deleted first", async () => {
  const elsewhere = { url: "https://a.example.com/" };
  const former = { url: shop.url, metadata: { shop: "shop-1" } };
  const fill = (endpoints: object[]) => control("webhooks/endpoints", { endpoints });
  await fill(Array.from({ length: 16 }, () => elsewhere));
  expect(await makeWebhookEndpoint(wanted())).toEqual({ kind: "full", former: null });
  await fill([...Array.from({ length: 15 }, () => elsewhere), former]);
  expect(await makeWebhookEndpoint(wanted())).toEqual({
    kind: "full",
    former: { id: "we_15", isKnown: false },
  });
  expect(await listed()).toHaveLength(16);
  expect(await makeWebhookEndpoint({ ...wanted(), deletesFirst: "we_15" })).toMatchObject({ kind: "made" });
  await fill(Array.from({ length: 16 }, () => former));
  expect(await makeWebhookEndpoint(wanted())).toEqual({
    kind: "full",
    former: { id: "we_0", isKnown: false },
  });
});

test("without the permission, or where Stripe refuses the address, it is made by hand", async () => {
  await control("keys", { key: "rk_test_narrow", lacks: ["webhook_write"] });
  expect(await makeWebhookEndpoint(wanted({ secretKey: "rk_test_narrow" }))).toMatchObject({
    kind: "by hand",
    reason: expect.stringContaining("“Webhook Endpoints: Write”"),
    url: shop.url,
    types: expect.arrayContaining(["invoice.paid"]),
    apiVersion: Stripe.API_VERSION,
  });
  await control("refuse", { path: "webhook_endpoints", as: "url" });
  expect(await makeWebhookEndpoint(wanted())).toMatchObject({
    kind: "by hand",
    reason: expect.stringContaining("must be publicly accessible"),
  });
  await control("refuse", { path: "webhook_endpoints", as: null });
  await control("keys", { key: "sk_live_shop" });
  expect(await makeWebhookEndpoint(wanted({ secretKey: "sk_live_shop" }))).toMatchObject({
    kind: "by hand",
    reason: expect.stringContaining(`must begin with "https://"`),
  });
});

test("a version of another form is refused", () =>
  expect(
    stripe().webhookEndpoints.create({
      url: shop.url,
      enabled_events: ["*"],
      api_version: "newest" as never,
    }),
  ).rejects.toMatchObject({ param: "api_version" }));

type More = { knownSecret?: string | null; secretKey?: string };
const wanted = ({ knownSecret = null, secretKey }: More = {}) => ({
  stripe: access(secretKey),
  url: shop.url,
  shopId: "shop-1",
  knownSecrets: knownSecret === null ? [] : [knownSecret],
});

const stripe = () =>
  new Stripe(simulator.secretKey, {
    host: "127.0.0.1",
    port: Number(new URL(simulator.url).port),
    protocol: "http",
    telemetry: false,
  });
const listed = async () => (await stripe().webhookEndpoints.list({ limit: 100 })).data;

async function pay() {
  const { id: session } = await stripe().checkout.sessions.create({
    mode: "payment",
    success_url: "http://shop.test/",
    line_items: [
      { quantity: 1, price_data: { currency: "usd", unit_amount: 500, product_data: { name: "A thing" } } },
    ],
  });
  await control("pay", { session });
  expect(await simulator.flush()).toBe(true);
}

async function signedType({ body, signature }: { body: string; signature: string }, secret: string) {
  return (await Stripe.webhooks.constructEventAsync(body, signature, secret)).type;
}

/** Keeps what Stripe sends it. */
function startShop() {
  const taken: { body: string; signature: string }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      taken.push({ body: await request.text(), signature: request.headers.get("stripe-signature") ?? "" });
      return new Response();
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/api/stripe/webhook`,
    /** The types of the events that were signed with this secret. */
    got: (secret: string) => Promise.all(taken.map((one) => signedType(one, secret))),
    stop: () => server.stop(true),
  };
}
