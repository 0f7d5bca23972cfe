/** The whole shop with its site and one signed-in customer, for the benchmark. Prints its URL and the credentials. */
import { join } from "node:path";
import { readConfig } from "@/core/config";
import { createLog } from "@/core/log";
import { limitTable } from "@/core/limit-table";
import { handOut } from "@/demo/cast";
import { createSite } from "@/serving/site";
import { startShop } from "@/shop";

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
  LIMITS: Object.keys(limitTable({}))
    .map((name) => `${name}=1000000000/60`)
    .join(","),
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
const registered = await fetch(new URL("/api/auth/register", shop.url), {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    username: "bench",
    email: "bench@example.com",
    password: "a long enough phrase",
    key: await handOut(shop.ctx, null),
    timezone: "UTC",
  }),
});
const cookie = registered.headers.getSetCookie().map((line) => line.split(";")[0]);
const ask = async (path: string, init: RequestInit) => {
  const answer = await fetch(new URL(path, shop.url), { method: "POST", ...init });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return (await answer.json()) as { data: { api_key: string } };
};
const own = { cookie: cookie.join("; "), "sec-fetch-site": "same-origin" };
const { data } = await ask("/api/user/info/reset/token", { headers: own });
const device = JSON.stringify({ hwid: "bench-machine", label: "Bench", os: "Linux", version: "1.0.0" });
await ask("/api/app/v1/activate", {
  headers: { authorization: `Bearer ${data.api_key}`, "content-type": "application/json" },
  body: device,
});
await shop.ctx.store.client.execute({ sql: "VACUUM INTO ?", args: [copy] });
console.log(JSON.stringify({ url: shop.url.href, cookie: cookie.join("; "), token: data.api_key }));
