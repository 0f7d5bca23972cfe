import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { type Client, createClient } from "@libsql/client";
import { day } from "@/contract/time";
import type { Ctx } from "@/core/context";
import { openStore } from "@/core/database";
import { bringEndsUnderRule, endsChanged, endsToChange } from "@/domain/licences/ends-rule";
import { operated } from "../../support/operator/run-operator";
import { buyMonth, sellMonth } from "../../support/shop/sell-month";
import { openStage } from "../../support/shop/stage";

const drizzle = new URL("../../../drizzle/", import.meta.url).pathname;
const start = Date.UTC(2026, 4, 1);
const at = (days: number) => start + days * day;

/** A database as the release before the rule of licence time left it. */
async function oldDatabase(fill: (client: Client) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-licence-time-"));
  const url = `file:${join(folder, "shop.db")}`;
  const client = createClient({ url });
  const { entries } = JSON.parse(await readFile(join(drizzle, "meta/_journal.json"), "utf8")) as {
    entries: { tag: string; when: number }[];
  };
  const before = entries.slice(
    0,
    entries.findIndex(({ tag }) => tag.endsWith("licence_time")),
  );
  const files = await Promise.all(before.map(({ tag }) => readFile(join(drizzle, `${tag}.sql`), "utf8")));
  await client.execute("PRAGMA journal_mode = WAL");
  for (const file of files) await client.batch(file.split("--> statement-breakpoint"), "write");
  await client.batch(
    [
      "CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)",
      `INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('', ${before.at(-1)?.when})`,
    ],
    "write",
  );
  await fill(client);
  client.close();
  await Bun.write(join(folder, ".created"), "");
  return { folder, url };
}

type Old = { id: string; redeemed: number; expires: number | null; days: number | null; standing?: string };

/** Fills an old database: an account with licences and what the audit log says of them. */
function filler(client: Client) {
  let entries = 0;
  const run = (sql: string, ...args: (string | number | null)[]) => client.execute({ sql, args });
  const logged = (
    action: string,
    subject: string,
    when: number,
    more: { account?: string; detail?: object } = {},
  ) =>
    run(
      "INSERT INTO audit_log (id, at, actor, action, subject, account_id, detail) VALUES (?, ?, 'shop', ?, ?, ?, ?)",
      `audit-${(entries += 1)}`,
      at(when),
      action,
      subject,
      more.account ?? null,
      JSON.stringify(more.detail ?? null),
    );
  const account = async (id: string, licences: Old[]) => {
    await run(
      `INSERT INTO accounts (id, username, username_key, email, email_key, password_hash, api_key_hash, api_key_sealed, timezone, created_at)
       VALUES (?1, ?1, ?1, ?1, ?1, '', ?1, '', 'UTC', ?2)`,
      id,
      at(0),
    );
    for (const one of licences) {
      const standing = one.standing ?? "good";
      const payment = one.standing === undefined ? null : `payment of ${one.id}`;
      if (payment) {
        const state = standing === "good" ? "succeeded" : standing;
        await run(
          `INSERT INTO payments (id, session_id, state, amount, currency, livemode, created_at, sold_at) VALUES (?1, ?1, ?2, 500, 'usd', 0, ?3, ?3)`,
          payment,
          state,
          at(0),
        );
        await logged("payment.succeeded", payment, 0);
      }
      await run(
        `INSERT INTO licences (id, key_hash, key_sealed, type, days, payment_id, payment_standing, livemode, account_id, redeemed_at, expires_at, created_at)
         VALUES (?1, ?1, '', 'premium', ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?7)`,
        one.id,
        one.days,
        payment,
        standing,
        payment && 0,
        id,
        at(one.redeemed),
        one.expires === null ? null : at(one.expires),
      );
    }
  };
  return { account, logged };
}

test("the rule of licence time applies to licences of earlier releases, and nobody loses time that was paid for", async () => {
  const { folder, url } = await oldDatabase(async (client) => {
    const { account, logged } = filler(client);
    const month = { days: 30, redeemed: 0 };
    const six = ["a", "b", "c", "d", "e", "f"].map((name, nth) => ({
      ...month,
      id: `six-${name}`,
      expires: 30 * (nth + 1),
      standing: nth < 5 ? "refunded" : "good",
    }));
    await account("six", six);
    for (const { id } of six.slice(0, 5)) await logged("payment.refunded", `payment of ${id}`, 1);
    await account("waited", [
      { ...month, id: "won", expires: 30, standing: "good" },
      { ...month, id: "meanwhile", redeemed: 10, expires: 40 },
    ]);
    await logged("payment.disputed", "payment of won", 5);
    await logged("payment.succeeded", "payment of won", 12);
    await account("extended", [
      { ...month, id: "first", expires: 30 },
      // ten days before it was redeemed, which are in its days, and five after
      { id: "second", days: 40, redeemed: 2, expires: 75 },
    ]);
    await logged("licence.extended", "second", 1, { detail: { days: 10 } });
    await logged("licence.extended", "second", 20, { detail: { days: 5 } });
    await account("imported", [{ id: "theirs", days: 300, redeemed: 0, expires: 44 }]);
    await logged("account.imported", "imported", 0, { account: "imported" });
    await logged("licence.extended", "theirs", 9, { detail: { days: 4 } });
    await account("by-hand", [{ ...month, id: "favour", expires: 200 }]);
    await account("lifer", [{ id: "life", days: null, redeemed: 0, expires: null }]);
    await account("unknown", [
      { ...month, id: "gone", expires: 30, standing: "revoked" },
      { ...month, id: "after", redeemed: 3, expires: 60 },
    ]);
  });
  const store = await openStore({ url });
  try {
    const now = () => new Date(at(3));
    const ctx = { store, now, livemode: false } as unknown as Ctx;
    const changes = [
      { username: "six", before: new Date(at(180)), after: new Date(at(31)) },
      { username: "waited", before: new Date(at(40)), after: new Date(at(60)) },
    ];
    expect(await endsToChange(ctx, 10)).toEqual(changes);
    expect(await endsToChange(ctx, 1)).toHaveLength(1);
    await bringEndsUnderRule(ctx);
    await bringEndsUnderRule(ctx);
    expect(await endsToChange(ctx, 10)).toEqual([]);
    const changed = await endsChanged(ctx, new Date(at(2)), 10);
    expect(changed.toSorted((a, b) => (a.username < b.username ? -1 : 1))).toEqual(changes);
    const { rows } = await store.client.execute("SELECT id, expires_at FROM licences ORDER BY id");
    const ends = Object.fromEntries(
      rows.map(({ id, expires_at: end }) => [id, end === null ? null : (Number(end) - start) / day]),
    );
    expect(ends).toEqual({
      after: 60,
      favour: 200,
      first: 30,
      gone: 30,
      life: null,
      meanwhile: 60,
      second: 75,
      "six-a": 1,
      "six-b": 1,
      "six-c": 1,
      "six-d": 1,
      "six-e": 1,
      "six-f": 31,
      theirs: 44,
      won: 30,
    });
    const waiting = await store.client.execute("SELECT count(*) AS n FROM accounts WHERE ends_rule <> 1");
    expect(waiting.rows[0]?.["n"]).toBe(0);
  } finally {
    store.close();
    await rm(folder, { recursive: true });
  }
});

test("the first commit that changes an account's time applies the rule to it, and the doctor names the account", async () => {
  await using stage = await openStage();
  const ada = stage.person();
  await ada.register(await stage.handOut(30), "ada");
  // as a release before the rule would have left it
  await stage.ctx.store.client.batch(
    [`UPDATE licences SET expires_at = expires_at - ${10 * day}`, "UPDATE accounts SET ends_rule = 0"],
    "write",
  );
  const findings = async () =>
    (await operated(stage, "doctor"))
      .filter(({ what }: { what: string }) => what === "licences")
      .map(({ sentence }: { sentence: string }) => sentence);
  expect(await findings()).toEqual([expect.stringMatching(/^An end will move: ada \(.+ → .+\)\.$/)]);
  const key = await stage.handOut(5);
  const redeemed = await ada.post("/api/licenses/redeem", { key, timezone: "UTC" });
  expect((Date.parse(redeemed.body.data.expiry_date) - stage.ctx.now().getTime()) / day).toBeCloseTo(35, 1);
  expect(await findings()).toEqual([
    expect.stringMatching(/^An end moved in the last 30 days, .+: ada \(.+ → .+\)\.$/),
  ]);
});

test("when the shop goes live, days that staff gave away no longer queue behind those of test mode", async () => {
  await using stage = await openStage();
  await sellMonth(stage);
  const { key } = await buyMonth(stage);
  const ada = stage.person();
  await ada.register(key, "ada");
  await ada.post("/api/licenses/redeem", { key: await stage.handOut(5), timezone: "UTC" });
  const ends = async () =>
    (await ada.get("/api/licenses/me")).body.data.map(({ expiry_date: end }: { expiry_date: string }) =>
      Math.round((Date.parse(end) - Date.now()) / day),
    );
  expect(await ends()).toEqual([35, 30]);
  const liveKey = "sk_live_of_the_shop";
  await stage.atStripe("keys", { key: liveKey });
  await stage.restart({ stripeKey: liveKey });
  await bringEndsUnderRule(stage.ctx);
  expect(await ends()).toEqual([5, 30]);
});
