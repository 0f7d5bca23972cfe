import { operator } from "@/core/base/actor";
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readBackup } from "@/core/backup/backup";
import { readConfig } from "@/core/settings/config";
import { connectTo } from "@/core/database/database";
import { createLog } from "@/core/log/log";
import { keyOf } from "@/domain/licences/keys/issue";
import { announce, postAnnouncements } from "@/domain/campaigns/announce";
import { paymentNamed } from "@/domain/payments/reading/find";
import { startShop } from "@/shop";
import { seededRandom } from "../../crash/random";
import { release } from "../../support/shop/publish-release";
import { operate, operateWith, operated, settingsOf } from "../../support/operator/run-operator";
import { Person } from "../../support/people/person";
import { openStage, type Stage } from "../../support/shop/stage";
import { login, member, password, turnOnMfa } from "../../stories/accounts/people";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-backups-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const why = ["--reason", "a drill"];
const emptyFolder = () => mkdtemp(join(scratch, "machine-"));
const backupOf = async (stage: Stage): Promise<string> =>
  (await operated(stage, "backup", "--to", join(scratch, crypto.randomUUID()))).path;
/** The settings of another machine, which only has the secrets. */
const elsewhere = (stage: Stage, dataDir: string) => ({ ...settingsOf(stage), DATA_DIR: dataDir });
const restore = (stage: Stage, dataDir: string, path: string, ...more: string[]) =>
  operateWith(elsewhere(stage, dataDir), "restore", path, ...why, ...more);

/** The shop that runs on a restored folder. */
async function reopened(stage: Stage, dataDir: string) {
  const config = readConfig({ ...elsewhere(stage, dataDir), PORT: "0", TRUSTED_PROXIES: "1" });
  const { stripe, mail } = config;
  if (!stripe || !mail) throw new Error("the drill has Stripe and mail");
  return startShop({ ...config, stripe, mail, discord: "off" }, { log: createLog("error", () => {}) });
}

test("a backup taken under load restores every paid order's key, and later sales come from Stripe", async () => {
  await using stage = await openStage();
  const owner = stage.person();
  const { key: first } = await stage.buy("owner@example.com");
  await owner.register(first, "owner");
  const { api_key: token } = (await owner.post("/api/user/info/reset/token")).body.data;
  const { recoveryCodes } = await turnOnMfa(stage, await member(stage, "guarded"));
  const sold: { sessionId: string; key: string }[] = [];
  let over = false;
  const load = Array.from({ length: 2 }, async () => {
    while (!over) sold.push(await stage.buy());
  });
  const path = await backupOf(stage);
  const then = sold.length;
  while (sold.length < then + 5) await Bun.sleep(5);
  over = true;
  await Promise.all(load);

  const machine = await emptyFolder();
  const restored = await restore(stage, machine, path, "--json");
  expect(restored).toMatchObject({ code: 0, err: "" });
  const report = JSON.parse(restored.out);
  expect(report.reconciliation).toMatchObject({ finished: true, failed: 0 });
  expect(report.reconciliation.changed).toBeGreaterThanOrEqual(5);
  expect(report.licences).toBe(sold.length + 2);

  const shop = await reopened(stage, machine);
  try {
    for (const { sessionId, key } of sold) {
      const [licence] = (await paymentNamed(shop.ctx, sessionId)).licences;
      expect(licence && keyOf(shop.ctx, licence)).toBe(key);
    }
    const same = new Person(() => shop.url);
    for (const [name, value] of owner.cookies) same.cookies.set(name, value);
    const me = (await same.get("/api/user/me")).body.data;
    expect(me).toMatchObject({ username: "owner", api_key: token });
    expect(me.active_license).toBeTruthy();
    expect((await same.get("/api/licenses/me")).body.data[0].key).toBe(first);
    const guarded = new Person(() => shop.url);
    expect((await login(guarded, "guarded")).body.code).toBe("mfa_required");
    const entered = await login(guarded, "guarded", { security_code: recoveryCodes[0] });
    expect(entered.status).toBe(200);
    const late = new Person(() => shop.url);
    expect((await late.register(sold.at(-1)?.key ?? "", "late")).status).toBe(200);
  } finally {
    await shop.stop();
  }
});

test("two shops don't share a port", async () => {
  await using stage = await openStage();
  const env = { ...elsewhere(stage, await emptyFolder()), PORT: stage.url.port, HOST: stage.url.hostname };
  const { stripe, mail, ...config } = readConfig(env);
  if (!stripe || !mail) throw new Error("the drill has Stripe and mail");
  const second = startShop(
    { ...config, stripe, mail, discord: "off" },
    { log: createLog("error", () => {}) },
  );
  expect(second).rejects.toThrow(`Another program listens on port ${stage.url.port}`);
});

/** Tried one by one against the reader itself, because a process for each would take minutes. */
const spoiledBits = 800;
/** Of age's format: 64 KiB and a code. */
const pieceBytes = 65_536 + 16;

test(`a backup with any one bit flipped is refused: ${spoiledBits} tried, from the first to the last`, async () => {
  await using stage = await openStage();
  // many pieces, so that they can be swapped, repeated and left out
  await stage.ctx.store.client.execute(
    "INSERT INTO news (id, date, title, content) SELECT value, 0, 'x', hex(randomblob(200000)) FROM generate_series(1, 4)",
  );
  const path = await backupOf(stage);
  const whole = await Bun.file(path).bytes();
  const keys = { backupKey: null, secretKey: new Uint8Array(32).fill(7) };
  const machine = await emptyFolder();
  const opens = (bytes: Uint8Array<ArrayBuffer>, at: string) =>
    readBackup({ file: new Blob([bytes]), name: "damaged" }, keys, join(machine, `${at}.db`));
  await opens(whole, "whole");
  // even if the command is killed now, no shop starts on it as the original
  const client = await connectTo({ url: pathToFileURL(join(machine, "whole.db")).href });
  const marks = await client.execute("SELECT value FROM installation WHERE name = 'restored_copy'");
  client.close();
  expect(marks.rows).toHaveLength(1);
  for (const end of ["-wal", "-shm"]) await rm(join(machine, `whole.db${end}`), { force: true });
  await rm(join(machine, "whole.db"));
  const body = Buffer.from(whole).indexOf("\n--- ") + 1;
  // the header's code and the nonce of the content
  const start = whole.indexOf(10, body) + 1 + 16;
  const random = seededRandom(1).next;
  const places = [
    ...Array.from({ length: start }, (_, at) => at * 8 + Math.floor(random() * 8)),
    // the first piece's code
    ...Array.from({ length: 16 }, (_, byte) => (start + pieceBytes - 16 + byte) * 8),
    (whole.length - 1) * 8,
    whole.length * 8 - 1,
  ];
  while (places.length < spoiledBits) places.push(Math.floor(random() * whole.length * 8));
  for (const bit of places) {
    const bytes = whole.slice();
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const refused = await opens(bytes, "flipped").then(
      () => null,
      (error: Error) => error.message,
    );
    expect(refused ?? `bit ${bit} was not noticed`).toMatch(/can't be opened|BACKUP_KEY is missing/);
  }
  const [first, second, third] = [start, start + pieceBytes, start + 2 * pieceBytes];
  expect(whole.length).toBeGreaterThan(third);
  const piece = (from: number, to: number) => Array.from(whole.subarray(from, to));
  const head = piece(0, first);
  const rest = piece(third, whole.length);
  const spoiled = {
    "cut after a piece": piece(0, second),
    "pieces exchanged": [...head, ...piece(second, third), ...piece(first, second), ...rest],
    "a piece twice": [...head, ...piece(first, second), ...piece(first, whole.length)],
    "a piece left away": [...head, ...piece(second, whole.length)],
    "no piece at all": head,
    "one byte less": piece(0, whole.length - 1),
    "one byte more": [...whole, 0],
    "ten bytes": piece(0, 10),
    nothing: [],
  };
  for (const [what, bytes] of Object.entries(spoiled)) {
    const refused = await opens(new Uint8Array(bytes), "spoiled").then(
      () => null,
      (error: Error) => error.message,
    );
    expect(refused ?? `${what} was not noticed`).toContain("can't be opened");
  }
  const other = { ...keys, secretKey: new Uint8Array(32).fill(8) };
  const foreign = readBackup({ file: Bun.file(path), name: "foreign" }, other, join(machine, "foreign.db"));
  expect(foreign).rejects.toThrow("another key");
  expect(await readdir(machine)).toEqual([]);
  console.log(`${places.length} flipped bits of ${whole.length * 8} refused`);
});

test("the command refuses a damaged backup in one sentence and leaves nothing behind", async () => {
  await using stage = await openStage();
  const path = await backupOf(stage);
  const bytes = await Bun.file(path).bytes();
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  const damaged = join(scratch, "damaged.backup");
  await Bun.write(damaged, bytes);
  const machine = await emptyFolder();
  const { code, err } = await restore(stage, machine, damaged, "--no-reconcile");
  expect(err).toBe(`The backup ${damaged} can't be opened: sealed with another key, or damaged.\n`);
  expect(code).toBe(1);
  expect(await readdir(machine)).toEqual([]);
  const none = await restore(stage, machine, join(scratch, "nowhere"), "--no-reconcile");
  expect(none).toMatchObject({ code: 1, err: expect.stringContaining("There is no backup in") });
});

const age = Bun.which("age");
test.skipIf(!age)("`age` opens a backup with the identities that `shop backups` prints", async () => {
  await using stage = await openStage();
  const withKey = { ...settingsOf(stage), BACKUP_KEY: Buffer.alloc(32, 3).toString("base64") };
  for (const env of [settingsOf(stage), withKey]) {
    const folder = await emptyFolder();
    const made = await operateWith(env, "backup", "--to", folder, "--json");
    const file = join(folder, "identities.txt");
    await Bun.write(file, (await operateWith(env, "backups", "--identities")).out);
    const opened = Bun.spawnSync([age ?? "", "-d", "-i", file, JSON.parse(made.out).path]);
    expect(opened.stderr.toString()).toBe("");
    const database = Database.deserialize(Bun.zstdDecompressSync(opened.stdout));
    expect(database.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  }
});

test("a restore and a take-over say that the builds, which no backup holds, are missing", async () => {
  await using stage = await openStage();
  await release(stage, "1.0.0", { only: ["mac_dmg"] });
  const path = await backupOf(stage);
  const machine = await emptyFolder();
  const missing = `Customers can't download Wisp.dmg of 1.0.0: ${join(machine, "builds")} doesn't have`;
  expect(await restore(stage, machine, path)).toMatchObject({
    code: 0,
    out: expect.stringContaining(missing),
  });
  const takeOver = () => operateWith(elsewhere(stage, machine), "take-over", ...why);
  expect((await takeOver()).out).toContain(missing);
  const other = await emptyFolder();
  await cp(join(stage.dataDir, "builds"), join(other, "builds"), { recursive: true });
  expect((await restore(stage, other, path)).out).not.toContain("download");
});

test("a restore never overwrites a database and refuses another secret", async () => {
  await using stage = await openStage();
  await stage.handOut();
  const path = await backupOf(stage);
  const before = await Bun.file(join(stage.dataDir, "shop.db")).bytes();
  expect(await operate(stage, "restore", path, ...why)).toMatchObject({
    code: 1,
    err: expect.stringContaining("never overwrites anything"),
  });
  expect(await Bun.file(join(stage.dataDir, "shop.db")).bytes()).toEqual(before);
  const machine = await emptyFolder();
  const other = { ...elsewhere(stage, machine), SECRET_KEY: Buffer.alloc(32, 8).toString("base64") };
  const refused = await operateWith(other, "restore", path, ...why);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("another key") });
  const { SECRET_KEY: _none, ...without } = other;
  expect((await operateWith(without, "restore", path, ...why)).err).toContain("SECRET_KEY is missing");
  expect(await readdir(machine)).toEqual([]);
});

test("with BACKUP_KEY a backup can be opened with that key alone, but still needs the shop's secret to run", async () => {
  await using stage = await openStage();
  await stage.handOut();
  const backupKey = { BACKUP_KEY: Buffer.alloc(32, 5).toString("base64") };
  const folder = join(scratch, "own-key");
  const made = await operateWith({ ...settingsOf(stage), ...backupKey }, "backup", "--to", folder, "--json");
  const { path } = JSON.parse(made.out);
  const machine = await emptyFolder();
  expect((await restore(stage, machine, path)).err).toBe("The setting BACKUP_KEY is missing.\n");
  const foreign = {
    ...elsewhere(stage, machine),
    ...backupKey,
    SECRET_KEY: Buffer.alloc(32, 8).toString("base64"),
  };
  expect((await operateWith(foreign, "restore", path, ...why)).err).toContain("SECRET_KEY is not the one");
  expect((await readdir(machine)).filter((name) => name.startsWith("shop.db"))).toEqual([]);
  const right = { ...elsewhere(stage, machine), ...backupKey };
  expect(await operateWith(right, "restore", path, ...why)).toMatchObject({ code: 0 });
});

test("nothing unsealed is left next to or in a backup, and old backups are removed", async () => {
  await using stage = await openStage();
  await stage.person().register(await stage.handOut(), "canary-of-the-database");
  const folder = join(scratch, "kept");
  await mkdir(folder);
  await cp(join(import.meta.dir, "backup-drill.test.ts"), join(folder, "somebody-elses.txt"));
  for (let at = 0; at < 3; at += 1) await operated(stage, "backup", "--to", folder, "--keep", "2");
  const names = await readdir(folder);
  expect(names.filter((name) => name.endsWith(".backup"))).toHaveLength(2);
  expect(names).toHaveLength(3);
  for (const name of names.filter((one) => one.endsWith(".backup"))) {
    const bytes = Buffer.from(await Bun.file(join(folder, name)).bytes());
    expect(bytes.includes("canary-of-the-database")).toBe(false);
    expect(bytes.includes("SQLite format")).toBe(false);
  }
});

test("a restore stops the announcements under way, and lists what staff did and who erased themselves after the backup", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  const tim = await member(stage, "tim");
  const byStaff = { actor: operator, reason: "spring" };
  const announcement = { content: "Hello", licensedOnly: false, offer: null };
  await announce(stage.ctx, { ...announcement, subject: "Old" }, byStaff);
  await postAnnouncements(stage.ctx);
  await stage.shop.worker.drain();
  // sent, waiting in the outbox, and not yet enqueued
  stage.mail.setFaults({ mode: "reject-4xx", at: "sender" });
  await announce(stage.ctx, { ...announcement, subject: "Posted" }, byStaff);
  await postAnnouncements(stage.ctx);
  await announce(stage.ctx, { ...announcement, subject: "Unposted" }, byStaff);
  const path = await backupOf(stage);
  const { key } = await stage.buy();
  await operated(stage, "licences", "revoke", key, "--reason", "shared in public");
  await operated(stage, "changelog", "add", "--title", "Moved", "--content", "We moved.");
  expect((await tim.post("/api/user/delete", { password })).status).toBe(200);
  await stage.shop.stop();
  stage.mail.setFaults({ mode: "accept" });
  const machine = await emptyFolder();
  const old = join(stage.dataDir, "shop.db");
  const restored = await restore(stage, machine, path, "--old-database", old, "--json");
  expect(restored.code).toBe(0);
  const report = JSON.parse(restored.out);
  const subjects = report.announcements_stopped.map(({ subject }: { subject: string }) => subject);
  expect(subjects.toSorted()).toEqual(["Posted", "Unposted"]);
  expect(report.staff_actions).toEqual([
    expect.objectContaining({ actor: "operator", action: "licence.revoked", reason: "shared in public" }),
    expect.objectContaining({ actor: "operator", action: "changelog.added", reason: null }),
    expect.objectContaining({ action: "account.erased", reason: null }),
  ]);
  const taken = await operateWith(
    elsewhere(stage, machine),
    "take-over",
    "--stopped-at",
    report.made.slice(0, 19),
    ...why,
  );
  expect(taken).toMatchObject({ code: 0, err: "" });
  const shop = await reopened(stage, machine);
  try {
    await shop.worker.drain();
    await postAnnouncements(shop.ctx);
    await shop.worker.drain();
    const sent = stage.mail.messages().map(({ subject }) => subject);
    expect(sent.filter((subject) => subject === "Posted" || subject === "Unposted")).toEqual([]);
  } finally {
    await shop.stop();
  }
  const damaged = join(scratch, "damaged.db");
  await Bun.write(damaged, "no database");
  const again = await restore(stage, await emptyFolder(), path, "--old-database", damaged);
  expect(again.code).toBe(0);
  expect(again.out).toContain("Stopped, because it is no longer known who received them: 2 announcements.");
  expect(again.out).toContain(`The audit log of ${damaged} can't be read.`);
  const empty = await emptyFolder();
  const mistyped = await restore(stage, empty, path, "--old-database", join(scratch, "none.db"));
  expect(mistyped).toMatchObject({ code: 1, err: expect.stringContaining("Nothing was restored.") });
  expect(await readdir(empty)).toEqual([]);
});

test("with Stripe unreachable the shop is still restored, and the command says that it is not reconciled", async () => {
  await using stage = await openStage();
  await stage.buy();
  const path = await backupOf(stage);
  const machine = await emptyFolder();
  const away = { ...elsewhere(stage, machine), STRIPE_API_URL: "http://127.0.0.1:9" };
  const restored = await operateWith(away, "restore", path, ...why);
  expect(restored).toMatchObject({ code: 3, out: expect.stringContaining("Not reconciled") });
  const shop = await reopened(stage, machine);
  await shop.stop();
});

test("a restore with a key that lacks a permission names it, and the shop continues once it is granted", async () => {
  await using stage = await openStage();
  const path = await backupOf(stage);
  const { key } = await stage.buy();
  await stage.atStripe("keys", { key: "rk_test_of_the_shop", lacks: ["early_fraud_warning_read"] });
  const machine = await emptyFolder();
  const env = { ...elsewhere(stage, machine), STRIPE_SECRET_KEY: "rk_test_of_the_shop" };
  const restored = await operateWith(env, "restore", path, ...why);
  expect(restored).toMatchObject({
    code: 3,
    out: expect.stringContaining("lacks the permission rak_early_fraud_warning_read"),
  });
  const shop = await reopened(stage, machine);
  try {
    expect((await new Person(() => shop.url).register(key, "late")).status).toBe(200);
  } finally {
    await shop.stop();
  }
});
