/**
 * The whole shop with its site, for the benchmark: a customer with a computer, who is signed in, and one who is not.
 * Prints its URL and the credentials.
 */
import { join } from "node:path";
import { operator } from "@/core/base/actor";
import { readConfig } from "@/core/settings/config";
import { createLog } from "@/core/log/log";
import { handOut } from "@/domain/licences/keys/hand-out";
import { createSite } from "@/serving/site";
import { startShop } from "@/shop";
import { password } from "./password";
import { addLevels } from "../support/shop/levels";
import { unlimited } from "../support/shop/unlimited";

const [dataDir = "", copy = ""] = process.argv.slice(2);
const config = readConfig({
  PORT: "0",
  DATA_DIR: dataDir,
  MAIL: "off",
  DISCORD: "off",
  STRIPE_SECRET_KEY: "sk_test_bench",
  STRIPE_PUBLISHABLE_KEY: "pk_test_bench",
  STRIPE_WEBHOOK_SECRET: "whsec_bench",
  // nothing listens there, and nobody pays here
  STRIPE_API_URL: "http://127.0.0.1:9",
  ...unlimited,
});
if (!config.stripe) throw new Error("the benchmark needs Stripe");
const shop = await startShop(
  { ...config, stripe: config.stripe, mail: "off", discord: "off" },
  {
    log: createLog("error"),
    pages: (publicUrl, offers) =>
      createSite({ publicUrl, offers, cacheDir: join(import.meta.dir, "../../.cache/site") }),
  },
);
const json = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
const send = async (path: string, body: object, headers: Record<string, string> = {}) => {
  const answer = await fetch(new URL(path, shop.url), {
    method: "POST",
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer;
};

const by = { actor: operator, reason: "bench" };

/** Registers a customer with a licence of two of three levels, and activates the application on a computer. */
async function customer(username: string) {
  const registered = await send("/api/auth/register", {
    username,
    email: `${username}@example.com`,
    password,
    key: await handOut(shop.ctx, { days: null, devices: 3 }, by),
    timezone: "UTC",
  });
  const cookie = registered.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const key = await handOut(shop.ctx, { days: 30, devices: 1, level: "team" }, by);
  await send("/api/licenses/redeem", { key, timezone: "UTC" }, { cookie });
  const renewed = await send("/api/user/info/reset/token", {}, { cookie });
  const { data } = (await renewed.json()) as { data: { api_key: string } };
  const machine = { hwid: "bench-machine", label: "Bench", os: "Linux", version: "1.0.0" };
  await send("/api/app/v1/activate", machine, { authorization: `Bearer ${data.api_key}` });
  return { cookie, token: data.api_key };
}

await addLevels(
  shop,
  { id: "team", features: ["export", "share"] },
  { id: "school", includesBefore: false, features: ["class"] },
);
const { cookie, token } = await customer("bench");
await customer("team");
await shop.ctx.store.client.execute({ sql: "VACUUM INTO ?", args: [copy] });
console.log(JSON.stringify({ url: shop.url.href, cookie, token }));
