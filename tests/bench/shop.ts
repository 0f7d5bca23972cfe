/**
 * The whole shop with its site, for the benchmark: a customer with one computer, who is signed in, one with five, and
 * other accounts with so many computers in all. Prints its URL and the credentials.
 */
import { join } from "node:path";
import { operator } from "@/core/base/actor";
import { readConfig } from "@/core/settings/config";
import { createLog } from "@/core/log/log";
import { limitTable } from "@/contract/vocabulary/limits";
import { handOut } from "@/domain/licences/keys/hand-out";
import { createSite } from "@/serving/site";
import { startShop } from "@/shop";
import { password } from "./password";

const [dataDir = "", copy = "", others = "0"] = process.argv.slice(2);
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
const machine = (hwid: string) => ({ hwid, label: "Bench", os: "Linux", version: "1.0.0" });

/** Registers a customer whose licence is for so many computers, and activates the application on each. */
async function customer(username: string, places: number) {
  const by = { actor: operator, reason: "bench" };
  const registered = await send("/api/auth/register", {
    username,
    email: `${username}@example.com`,
    password,
    key: await handOut(shop.ctx, { days: null, devices: places }, by),
    timezone: "UTC",
  });
  const cookie = registered.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const renewed = await send("/api/user/info/reset/token", {}, { cookie });
  const { data } = (await renewed.json()) as { data: { api_key: string } };
  for (let at = 0; at < places; at += 1) {
    const hwid = at === 0 ? "bench-machine" : `bench-machine-${at}`;
    await send("/api/app/v1/activate", machine(hwid), { authorization: `Bearer ${data.api_key}` });
  }
  return { cookie, token: data.api_key };
}

/** Signs the application in on a customer's first computer; resolves to that computer's own token. */
async function signIn(cookie: string): Promise<string> {
  type Codes = { device_code: string; user_code: string };
  const asked = await send("/api/app/v1/device/code", machine("bench-machine"));
  const { device_code, user_code } = (await asked.json()) as Codes;
  await send("/api/devices/request", { user_code, approve: true, password }, { cookie });
  const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
  const answer = await send("/api/app/v1/device/token", { grant_type, device_code });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** Accounts with a licence and five computers each. */
async function addOthers(computers: number): Promise<void> {
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${computers / 5})`;
  const other = "'other-' || n";
  const { client } = shop.ctx.store;
  await client.execute(
    `INSERT INTO accounts (id, username, username_key, email, email_key, password_hash, timezone, created_at)
     ${numbers} SELECT ${`${other}, `.repeat(5)} '', 'UTC', 1 FROM numbers`,
  );
  await client.execute(
    `INSERT INTO licences (id, key_hash, key_sealed, type, account_id, redeemed_at, created_at, devices)
     ${numbers} SELECT ${other}, ${other}, '', 'premium', ${other}, 1, 1, 5 FROM numbers`,
  );
  await client.execute(
    `INSERT INTO devices (account_id, place, computer_hash, label, os, version, first_seen_at, last_seen_at)
     ${numbers}, places (place) AS (VALUES (1), (2), (3), (4), (5))
     SELECT ${other}, place, lower(hex(randomblob(32))), 'x', 'x', '1.0.0', 1, 1
     FROM numbers, places`,
  );
  // no shop has so much of its database in the log
  await client.execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

if (others !== "0") await addOthers(Number(others));
const { cookie, token } = await customer("bench", 1);
const team = await customer("team", 5);
const own = await signIn(team.cookie);
await shop.ctx.store.client.execute({ sql: "VACUUM INTO ?", args: [copy] });
console.log(JSON.stringify({ url: shop.url.href, cookie, token, team: team.token, own }));
