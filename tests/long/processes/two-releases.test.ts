import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client";
import { release } from "@/core/database/release";
import { knownOfferVersion } from "@/domain/offers/list";
import { knownVersions } from "@/domain/payments/port/order-terms";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import { copyRelease, nextRelease, type OtherRelease } from "../../support/shop/other-release";
import { Person } from "../../support/people/person";
import { operate, operateWith, operated, settingsOf } from "../../support/operator/run-operator";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-releases-"));
const next = await copyRelease(nextRelease);
afterAll(async () => {
  await next[Symbol.asyncDispose]();
  await rm(scratch, { recursive: true, force: true });
});

const unknownVersion = Math.max(...knownVersions) + 1;
const why = ["--reason", "two releases"];
const settings = (stage: Stage, dataDir = stage.dataDir) => ({
  ...settingsOf(stage),
  DATA_DIR: dataDir,
  TRUSTED_PROXIES: "1",
});

/** Runs the other release's shop on the stage's data, while the stage's own is away. */
const runMeanwhile = (stage: Stage, other: OtherRelease, act: (url: URL) => Promise<void>) =>
  stage.restart({
    async meanwhile() {
      await using shop = await other.serve(settings(stage));
      stage.stripe.setWebhookUrl(new URL("/api/stripe/webhook", shop.url).href);
      await act(shop.url);
    },
  });

async function checkout(person: Person, wanted: object = {}): Promise<string> {
  const opened = await person.post("/api/stripe/create-checkout-session", { currency: "usd", ...wanted });
  expect(opened.status).toBe(200);
  return opened.body.data.id;
}

const verify = async (person: Person, session: string) =>
  (await person.get(`/api/stripe/verify-payment?session_id=${session}`)).body.data;

const countOf = async (stage: Stage, table: string) =>
  Number((await stage.ctx.store.client.execute(`SELECT count(*) AS n FROM ${table}`)).rows[0]?.["n"]);

const noticesIn = (stage: Stage) => stage.lines.filter((line) => line.includes("staff notice"));

/** The message of a refused start. */
const saidBy = (refused: Promise<unknown>): Promise<string> => refused.then(() => "nothing", String);

/** A buyer whose browser follows the shop from one release to the other. */
function wanderer(stage: Stage) {
  let at: URL | null = null;
  const person = new Person(() => at ?? stage.url);
  return { person, goTo: (url: URL | null) => void (at = url) };
}

test("an order of the next release that is paid on this one is kept, reported, and sold when that release is back", async () => {
  await using stage = await openStage();
  const { person, goTo } = wanderer(stage);
  const opened: string[] = [];
  await runMeanwhile(stage, next, async (url) => {
    goTo(url);
    opened.push(await checkout(person, { gift: { email: "friend@example.com", from: "Ann" } }));
  });
  goTo(null);
  // it runs on what that release's migration added to
  expect((await person.get("/api/ready")).body.data.migrations).toBe("ahead");
  const [session = ""] = opened;
  await stage.atStripe("pay", { session, email: "payer@example.com" });
  await stage.shop.worker.drain();
  const seen = await verify(person, session);
  expect(seen).toMatchObject({
    status: "Payment Pending",
    message:
      "Thank you! Your payment has arrived, and we're looking at your order. Please don't pay again. What you bought will appear on this page and in your inbox.",
    license_key: null,
    license_keys: [],
    bill: { paid: 500 },
  });
  // reading and sweeping again neither notify anybody twice nor sell or mail anything
  for (const _ of [1, 2]) await reconcilePayments(stage.ctx, stage.shop.checkout, { lists: "now" });
  await verify(person, session);
  await stage.shop.worker.drain();
  expect(await countOf(stage, "licences")).toBe(0);
  expect(stage.mail.messages()).toEqual([]);
  expect(noticesIn(stage)).toHaveLength(1);
  expect(noticesIn(stage)[0]).toContain(`edition ${unknownVersion}`);
  const shown = await operate(stage, "payments", "show", session);
  expect(shown.out).toMatch(
    new RegExp(`kept because +a newer release wrote the order \\(edition ${unknownVersion}\\)`),
  );
  const doctor = await operate(stage, "doctor");
  expect(doctor.code).toBe(3);
  expect(doctor.out).toContain("Left out: 1 paid order that a newer release wrote");
  expect(doctor.out).toContain("USD 5.00");
  expect(doctor.out).toContain("A newer release of the shop has migrated it.");
  expect(doctor.out).toContain(`release: ${release.number} runs on what 99.0.0 wrote`);
  const synced = await operate(stage, "payments", "sync", ...why);
  expect(synced.code).toBe(3);
  expect(synced.out).toContain(session);
  // that release's own sweep finds it, without a webhook or a visitor
  await runMeanwhile(stage, next, async (url) => {
    const emails = await eventually(
      () => stage.mail.messages("friend@example.com"),
      (mails) => mails.length > 0,
    );
    const key = /[A-Z]+(?:-[0-9A-Z]{4}){4}/.exec(emails[0]?.text ?? "")?.[0] ?? "";
    goTo(url);
    expect(await verify(person, session)).toMatchObject({ status: "Payment Successful" });
    expect((await verify(person, session)).license_key).not.toBe(key);
    const friend = new Person(() => url);
    expect((await friend.register(key, "friend")).status).toBe(200);
    await eventually(
      () => stage.mail.messages("payer@example.com"),
      (mails) => mails.length === 1,
    );
  });
  // its sale stays a sale on this release, which shows the key only to its owner
  goTo(null);
  expect(await verify(person, session)).toMatchObject({ status: "Payment Successful" });
  expect(await countOf(stage, "licences")).toBe(1);
});

test("a restore by this release names the orders of the next release that it left out, and the next release sells them with the same keys", async () => {
  await using stage = await openStage();
  const { path } = await operated(stage, "backup", "--to", join(scratch, "backups"));
  const orders: { session: string; keys: string[]; person: Person }[] = [];
  let at: URL | null = null;
  await runMeanwhile(stage, next, async (url) => {
    at = url;
    for (const wanted of [{}, { quantity: 2 }, { gift: { email: "friend@example.com" } }]) {
      const person = new Person(() => at ?? url);
      const session = await checkout(person, wanted);
      await stage.atStripe("pay", { session, email: "payer@example.com" });
      const { license_keys: keys } = await verify(person, session);
      orders.push({ session, keys, person });
    }
  });
  expect(orders.map(({ keys }) => keys.length)).toEqual([1, 2, 1]);
  const machine = await mkdtemp(join(scratch, "machine-"));
  const env = settings(stage, machine);
  const instead = ["--take-over", "--stopped-at", new Date().toISOString().slice(0, 16)];
  const restored = await operateWith(env, "restore", path, ...instead, ...why, "--json");
  expect(restored.code).toBe(3);
  const report = JSON.parse(restored.out);
  expect(report).toMatchObject({ release: release.number, licences: 0, left_out: { count: 3 } });
  const left = report.left_out.orders as { session: string; amount: number; currency: string }[];
  expect(left.map(({ session }) => session).toSorted()).toEqual(
    orders.map(({ session }) => session).toSorted(),
  );
  expect(left.map(({ amount }) => amount).toSorted((one, other) => one - other)).toEqual([500, 500, 1000]);
  const again = await mkdtemp(join(scratch, "machine-"));
  const inWords = await operateWith(settings(stage, again), "restore", path, ...why);
  expect(inWords.code).toBe(3);
  expect(inWords.out).toContain(
    "Left out: 3 paid orders that a newer release wrote and this one can't read.",
  );
  expect(inWords.out).toContain("USD 10.00");
  const before = stage.mail.messages("friend@example.com").length;
  await using shop = await next.serve(env);
  at = shop.url;
  await eventually(
    () => stage.mail.messages("friend@example.com").length,
    (mails) => mails > before,
  );
  for (const { session, keys, person } of orders) {
    // the browser's mark was in the lost database, so only masked keys are shown
    const seen = await verify(person, session);
    expect(seen).toMatchObject({ status: "Payment Successful" });
    expect(seen.license_keys).toHaveLength(keys.length);
  }
  const [{ keys: [key = ""] } = { keys: [] }] = orders;
  expect((await new Person(() => shop.url).register(key, "ada")).status).toBe(200);
});

test("a start is refused, and changes nothing, where a newer release goes back no further, or one would be skipped", async () => {
  await using stage = await openStage();
  const { goesBackTo, upgradesFrom } = release;
  await using final = await copyRelease({
    ...nextRelease,
    texts: [
      ...nextRelease.texts,
      ["src/core/database/release.ts", `goesBackTo: "${goesBackTo}"`, 'goesBackTo: "99.0.0"'],
    ],
  });
  await using leap = await copyRelease({
    texts: [
      ["package.json", `"version": "${release.number}"`, '"version": "100.0.0"'],
      ["src/core/database/release.ts", `upgradesFrom: "${upgradesFrom}"`, 'upgradesFrom: "99.0.0"'],
    ],
    migration: "CREATE TABLE leapt (id text);",
  });
  const skipped = `was last used by release ${release.number}, and 100.0.0 takes over only from 99.0.0 or later: start 99.0.0 first.`;
  const refused = stage.restart({
    async meanwhile() {
      expect(await saidBy(leap.serve(settings(stage)))).toContain(skipped);
      expect(await leap.operate(settings(stage), "doctor")).toMatchObject({
        code: 1,
        err: expect.stringContaining(skipped),
      });
      const client = createClient({ url: pathToFileURL(join(stage.dataDir, "shop.db")).href });
      expect((await client.execute("SELECT 1 FROM sqlite_master WHERE name = 'leapt'")).rows).toEqual([]);
      client.close();
      expect((await final.operate(settings(stage), "doctor", "--json")).out).toContain("99.0.0");
    },
  });
  const sentence = `holds what release 99.0.0 wrote, which ${release.number} can't read: start 99.0.0 or later.`;
  expect(await saidBy(refused)).toContain(sentence);
  expect(await operate(stage, "doctor")).toMatchObject({ code: 1, err: expect.stringContaining(sentence) });
});

test("a licence sold by a newer release shows and mails its key only to its owner, and ends with its payment", async () => {
  await using stage = await openStage();
  const payer = stage.person();
  const session = await checkout(payer);
  await stage.atStripe("pay", { session, email: "payer@example.com" });
  const { license_key: key } = await verify(payer, session);
  await stage.shop.worker.drain();
  expect(stage.mail.messages("payer@example.com")).toHaveLength(1);
  const { client } = stage.ctx.store;
  // sold in an edition that may say whose the key is
  await client.execute(`UPDATE payments SET seal_version = ${unknownVersion}`);
  expect((await verify(payer, session)).license_key).not.toBe(key);
  await operated(stage, "payments", "resend", session, ...why);
  await payer.post("/api/payments/find", { email: "payer@example.com" });
  await stage.shop.worker.drain();
  const emails = stage.mail.messages("payer@example.com").map(({ text }) => text);
  // the list of orders, without the key; the receipt waits for the newer release
  expect(emails).toHaveLength(2);
  expect(emails.filter((text) => text?.includes(key))).toHaveLength(1);
  const { rows } = await client.execute("SELECT topic, attempts FROM outbox WHERE topic LIKE 'mail.%'");
  expect(rows).toMatchObject([{ topic: "mail.receipt-again", attempts: 0 }]);
  await stage.atStripe("refund", { session });
  expect((await verify(payer, session)).status).toBe("Payment Refunded");
  expect((await stage.person().register(key, "late")).body.code).toBe("license_refunded");
  expect(await countOf(stage, "licences")).toBe(1);
});

test("an order of an unknown version that this shop didn't write is not taken for its own, nor an edited one", async () => {
  await using stage = await openStage({ webhooks: false });
  const session = await checkout(stage.person());
  await stage.atStripe("pay", { session, email: "payer@example.com" });
  const { sessions } = await stage.atStripe("ledger", undefined as never);
  const written = sessions[0].metadata as Record<string, string>;
  const { order_1: text = "", ...unwritten } = written;
  await stage.ctx.store.client.execute("DELETE FROM payments");
  for (const metadata of [
    { ...written, order_1: text.replace(`[${unknownVersion - 1},`, `[${unknownVersion},`) },
    { ...written, order_1: text.replace('"days":null', '"days":36500') },
    { ...written, seal: "" },
    unwritten,
  ]) {
    expect(metadata).not.toEqual(written);
    await stage.atStripe("alter", { session, metadata });
    await reconcilePayments(stage.ctx, stage.shop.checkout, { lists: "now" });
    expect(await countOf(stage, "payments")).toBe(0);
  }
});

test("offers, deliveries and progress that only a newer release knows wait for it, and stop nothing", async () => {
  await using stage = await openStage();
  const { client } = stage.ctx.store;
  const now = Date.now();
  await client.batch(
    [
      `INSERT INTO offers (id, name, level, amount, currency, created_at, edition) VALUES ('monthly', 'Monthly', 'premium', 200, 'usd', ${now}, ${knownOfferVersion + 1})`,
      `INSERT INTO outbox (key, topic, subject, created_at, due_at) VALUES ('mail.newer:1', 'mail.newer', '1', ${now}, ${now})`,
      `INSERT INTO outbox (key, topic, subject, payload, created_at, due_at) VALUES ('staff.notice:x', 'staff.notice', 'x', '{"kind":"newer kind","what":"a newer notice"}', ${now}, ${now})`,
      `INSERT INTO installation (name, value) VALUES ('sweep', '{"stages":["subscriptions"],"stage":"subscriptions"}')`,
    ],
    "write",
  );
  const visitor = stage.person();
  expect((await visitor.get("/api/offers")).body.data.map(({ id }: { id: string }) => id)).toEqual([
    "premium",
  ]);
  const opened = await visitor.post("/api/stripe/create-checkout-session", {
    currency: "usd",
    offer: "monthly",
  });
  expect(opened.body.code).toBe("offer_unknown");
  expect((await operate(stage, "offers", "list", "--all")).out).toContain("sold by a newer release");
  const changed = await operate(stage, "offers", "change", "monthly", "--amount", "300", ...why);
  expect(changed).toMatchObject({ code: 1, err: expect.stringContaining("A newer release made this offer") });
  await stage.shop.periodicJobs.run();
  await stage.shop.worker.drain();
  const { rows } = await client.execute("SELECT attempts, lease FROM outbox WHERE topic = 'mail.newer'");
  expect(rows).toMatchObject([{ attempts: 0, lease: null }]);
  // of a kind that it doesn't know, but words that staff can read
  expect(noticesIn(stage).filter((line) => line.includes("a newer notice"))).toHaveLength(1);
  expect((await operate(stage, "doctor")).out).toContain(
    "Deliveries of a newer release wait for it to run again: mail.newer.",
  );
  expect((await client.execute("SELECT 1 FROM installation WHERE name = 'sweep'")).rows).toEqual([]);
});

test("the health call, the doctor and backups name the running release", async () => {
  await using stage = await openStage();
  const health = await stage.person().get("/api/health");
  expect(health.body).toEqual({ status: 200, data: { release: release.number } });
  expect((await operate(stage, "doctor")).out).toContain(`release: ${release.number}; you can go back to`);
  const made = await operated(stage, "backup", "--to", join(scratch, "named"));
  expect(made.release).toBe(release.number);
});
