/** A shop restored beside the one that still runs leaves that one alone, until it takes over. */
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { hour } from "@/contract/vocabulary/time";
import { readConfig } from "@/core/settings/config";
import { commit } from "@/core/database/commit";
import { createLog } from "@/core/log/log";
import { notice, saleNotice } from "@/domain/notice";
import { outbox } from "@/core/database/schema";
import { refunds } from "@/domain/schema/refunds";
import { startShop } from "@/shop";
import { operated, operateWith, settingsOf } from "../../support/operator/run-operator";
import { Person } from "../../support/people/person";
import { backUpStage } from "../../support/shop/back-up";
import { discordSettings, eventually, openStage, type Stage } from "../../support/shop/stage";
import { askForCode, bindDevice, member } from "../../stories/accounts/people";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-copies-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const why = ["--reason", "a drill"];
const token = "a-token-of-sixteen";
const emptyFolder = () => mkdtemp(join(scratch, "machine-"));
const scheduled = (folder: string) => ({ BACKUP_EVERY: "24", BACKUP_TO: folder, BACKUP_KEEP: "1" });

/** A shop with these settings, and what it logs. */
async function shopWith(env: Record<string, string>) {
  const lines: string[] = [];
  const { stripe, mail, discord, ...config } = readConfig({ ...env, PORT: "0", TRUSTED_PROXIES: "1" });
  if (!stripe || !mail || !discord) throw new Error("the story names all three");
  const log = createLog("warn", (line) => void lines.push(line));
  return { lines, shop: await startShop({ ...config, stripe, mail, discord }, { log }) };
}

const checkout = (person: Person) => person.post("/api/stripe/create-checkout-session", { currency: "usd" });

test("a restored copy leaves the running shop's backups, mail, money, files and Discord alone, and takes over without an email twice", async () => {
  const folder = join(scratch, "of-the-shop");
  await using stage = await openStage({ discord: true });
  const mails = (to: string) => stage.mail.messages(to).length;
  // what happens to the shop was five hours ago
  stage.advance(-5 * hour);
  const ada = await member(stage, "ada");
  await bindDevice(stage, ada);
  await stage.shop.worker.drain();
  stage.mail.setFaults({ mode: "reject-4xx", at: "sender" });
  await stage.buy("waiting@example.com");
  await stage.shop.worker.drain();
  const name = await backUpStage(stage, folder);
  const before = [name];
  await stage.acceptMail(hour / 2);
  const { sessionId } = await stage.buy("after@example.com");
  await stage.shop.worker.drain();
  expect([mails("waiting@example.com"), mails("after@example.com")]).toEqual([1, 1]);
  const unpaid = await checkout(stage.person());
  // an hour after the backup the shop stops for good, and somebody pays later
  stage.advance(hour / 2);
  const stoppedAt = `${stage.ctx.now().toISOString().slice(0, 19)}Z`;
  await stage.shop.stop({ noticeMilliseconds: 0 });
  stage.advance(4 * hour);
  await stage.atStripe("pay", { session: unpaid.body.data.id, email: "late@example.com" });

  const machine = await emptyFolder();
  // the copy runs with all of the shop's own settings
  const env = {
    ...settingsOf(stage),
    ...discordSettings(stage.discord),
    ...scheduled(folder),
    DATA_DIR: machine,
    METRICS_TOKEN: token,
  };
  const { DISCORD: _off, ...careless } = env;
  const run = (...args: string[]) => operateWith(careless, ...args);
  const restored = await run("restore", join(folder, name), ...why);
  expect(restored).toMatchObject({ code: 0, err: "", out: expect.stringContaining("This is a copy") });

  const { shop: copy, lines } = await shopWith(careless);
  const atStripe = () => stage.atStripe("ledger", undefined as never);
  const ledger = JSON.stringify(await atStripe());
  const inbox = stage.mail.messages().length;
  const announcement = join(scratch, "spring.md");
  await Bun.write(announcement, "# Spring\n\nIt is here.");
  try {
    expect(lines.join("\n")).toContain("this is a copy of the shop");
    const visitor = new Person(() => copy.url);
    expect(await checkout(visitor)).toMatchObject({ status: 503, body: { code: "copy" } });
    expect((await askForCode(visitor, "ada@example.com")).status).toBe(200);
    await copy.periodicJobs.run();
    await copy.worker.drain();
    expect(copy.bot).toBeNull();
    expect(copy.backups).toBeNull();
    for (const args of [
      ["backup"],
      ["backup", "--to", join(scratch, "elsewhere")],
      ["payments", "refund", sessionId, ...why],
      ["codes", "create", "SPRING", "--percent", "10", ...why],
      // they would be mailed after a take-over, or never
      ["announce", "send", announcement, ...why],
      ["payments", "resend", sessionId, ...why],
      ["payments", "correct-email", sessionId, "right@example.com", ...why],
      ["payments", "correct-email", sessionId, "right@example.com", "--receiver", ...why],
      ["accounts", "change-email", "ada", "right@example.com", ...why],
    ]) {
      const { code, err } = await run(...args);
      expect([args[0], code, err]).toEqual([args[0], 1, expect.stringContaining("restored copy")]);
    }
    expect(copy.files.remove("0".repeat(64))).rejects.toThrow("copy");
    expect(await copy.ctx.store.db.$count(refunds)).toBe(0);
    expect((await readdir(folder)).toSorted()).toEqual(before);
    expect(stage.mail.messages()).toHaveLength(inbox);
    expect(JSON.stringify(await atStripe())).toBe(ledger);
    const bearer = { authorization: `Bearer ${token}` };
    expect((await visitor.get("/api/ready", bearer)).body.data.copy_of).toBeString();
    expect((await visitor.get("/api/ready")).body.data.copy_of).toBeUndefined();
    expect((await visitor.get("/metrics", bearer)).body).toContain("latchkey_restored_copy 1");
    expect((await run("doctor")).out).toContain("This is a copy of the shop as of");
  } finally {
    await copy.stop({ noticeMilliseconds: 0 });
  }

  const unsaid = await run("take-over", ...why);
  expect(unsaid).toMatchObject({ code: 1, err: expect.stringContaining("--stopped-at") });
  const early = await run("take-over", "--stopped-at", "2001-01-01", ...why);
  expect(early).toMatchObject({ code: 1, err: expect.stringContaining("before the backup was made") });
  const taken = await run("take-over", "--stopped-at", stoppedAt, ...why);
  expect(taken).toMatchObject({ code: 0, err: "" });
  expect(taken.out).toMatch(/go out when the shop starts: \d+ \(.*1 × mail\.receipt.*\)\./);
  // the old shop had failed to send it, once or more often, when the backup was made
  expect(taken.out).toMatch(/mail\.receipt \S+ \([1-9]\)/);
  expect((await run("take-over", ...why)).err).toContain("nothing to take over");
  const { shop } = await shopWith(careless);
  try {
    stage.advance(10_000);
    await shop.worker.drain();
    const receipts = ["waiting", "after", "late"].map((name) => mails(`${name}@example.com`));
    expect(receipts).toEqual([1, 1, 1]);
    // somebody asked for a code meanwhile
    const codes = stage.mail.messages("ada@example.com").filter(({ subject }) => subject.includes("code"));
    expect(codes).toHaveLength(1);
    expect((await checkout(new Person(() => shop.url))).status).toBe(200);
    await shop.backups?.run();
    const kept = await readdir(folder);
    expect(kept).toHaveLength(1);
    expect(kept).not.toEqual(before);
    expect(await shop.ctx.store.db.$count(refunds)).toBe(0);
  } finally {
    await shop.stop({ noticeMilliseconds: 0 });
  }
});

test("after a disaster one command restores and takes over", async () => {
  await using stage = await openStage();
  const { path } = await operated(stage, "backup", "--to", join(scratch, "disaster"));
  const { key } = await stage.buy("buyer@example.com");
  await stage.shop.worker.drain();
  await stage.shop.stop({ noticeMilliseconds: 0 });
  const env = { ...settingsOf(stage), DATA_DIR: await emptyFolder() };
  const over = (more: Record<string, string>, ...args: string[]) =>
    operateWith({ ...env, ...more }, "restore", path, "--take-over", ...why, ...args);
  const { code, out } = await over({});
  expect(code).toBe(3);
  expect(out).toContain("--stopped-at");
  // Stripe's lists name the payment several times
  expect(out).toContain(" 1 had changed");
  expect(out.match(/→.*/g)).toEqual(["→ succeeded"]);
  expect(out).toContain(": new →");
  expect((await operateWith(env, "doctor")).out).toContain("This is a copy of the shop as of");

  const elsewhere = { DATA_DIR: await emptyFolder() };
  const impossible = await over(elsewhere, "--stopped-at", "2099-01-01");
  expect(impossible).toMatchObject({ code: 1, err: expect.stringContaining("in the future") });
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const done = await over(elsewhere, "--stopped-at", now, "--json");
  expect(done).toMatchObject({ code: 0, err: "" });
  const report = JSON.parse(done.out);
  expect(report).toMatchObject({ taken_over: true });
  const found: { payment: string; from: string; to: string }[] = report.reconciliation.found;
  expect(found).toEqual([{ payment: found[0]?.payment ?? "", from: "unknown", to: "succeeded" }]);
  expect(report.reconciliation.changed).toBe(1);
  const { shop } = await shopWith({ ...env, ...elsewhere });
  try {
    await shop.worker.drain();
    expect((await new Person(() => shop.url).register(key, "buyer")).status).toBe(200);
    expect((await checkout(new Person(() => shop.url))).status).toBe(200);
  } finally {
    await shop.stop({ noticeMilliseconds: 0 });
  }
});

test("a take-over drops no notice that somebody has to act on, and names what it will send", async () => {
  await using stage = await openStage({ env: { OWNER_EMAIL: "owner@example.com" } });
  const { sessionId } = await stage.buy("buyer@example.com");
  await stage.shop.worker.drain();
  stage.mail.setFaults({ mode: "refuse-connection" });
  await stage.atStripe("dispute", { session: sessionId });
  await eventually(
    () => stage.ctx.store.db.$count(outbox, eq(outbox.topic, "owner.notice")),
    (waiting) => waiting === 1,
  );
  const { path } = await operated(stage, "backup", "--to", join(scratch, "disputed"));
  const stoppedAt = `${new Date().toISOString().slice(0, 19)}Z`;
  await stage.shop.stop({ noticeMilliseconds: 0 });
  stage.mail.setFaults({ mode: "accept" });
  const env = {
    ...settingsOf(stage),
    OWNER_EMAIL: "owner@example.com",
    DATA_DIR: await emptyFolder(),
  };
  const run = (...args: string[]) => operateWith(env, ...args);
  expect(await run("restore", path, "--no-reconcile", ...why)).toMatchObject({ code: 0, err: "" });

  const { shop: copy } = await shopWith(env);
  const { ctx } = copy;
  await ctx.store.db.delete(outbox).where(eq(outbox.topic, "staff.notice"));
  await commit(ctx.store, [
    ...notice(ctx, "one:warned", { kind: "fraud warning" }),
    ...notice(ctx, "one:refund", { kind: "refund" }),
    saleNotice(ctx, "one"),
  ]);
  // the old shop ran long after all of it
  await ctx.store.db.update(outbox).set({ createdAt: new Date(Date.now() - hour) });
  await copy.stop({ noticeMilliseconds: 0 });

  const taken = await run("take-over", "--stopped-at", stoppedAt, ...why, "--json");
  expect(taken).toMatchObject({ code: 0, err: "" });
  const { letters_left_out: leftOut, ...report } = JSON.parse(taken.out);
  expect(report).toMatchObject({
    letters_waiting: 3,
    letters_waiting_by_kind: [
      { topic: "owner.notice", kind: "dispute", waiting: 1 },
      { topic: "owner.notice", kind: "fraud warning", waiting: 1 },
      { topic: "staff.notice", kind: "fraud warning", waiting: 1 },
    ],
  });
  expect(leftOut.map(({ topic }: { topic: string }) => topic).toSorted()).toEqual([
    "mail.payment-disputed",
    "staff.notice",
    "staff.sale",
  ]);
  const { shop } = await shopWith(env);
  try {
    await shop.worker.drain();
    const mails = stage.mail.messages("owner@example.com").map(({ text }) => text);
    expect(mails.join("\n")).toContain("Dispute needs response");
  } finally {
    await shop.stop({ noticeMilliseconds: 0 });
  }
});

test("two shops that share a backup folder remove only their own backups, and a restore finds the right one or asks", async () => {
  const folder = join(scratch, "shared");
  await using one = await openStage();
  await using other = await openStage({ env: { SECRET_KEY: Buffer.alloc(32, 9).toString("base64") } });
  const envOf = (stage: Stage, host: string, secret: number) => ({
    ...settingsOf(stage),
    SECRET_KEY: Buffer.alloc(32, secret).toString("base64"),
    PUBLIC_URL: `https://${host}`,
  });
  const ofOne = envOf(one, "one.example.com", 7);
  const ofOther = envOf(other, "other.example.com", 9);
  const unknown = "shop-2020-01-01T00-00-00-000Z.backup";
  await Bun.write(join(folder, unknown), "another program's");
  const list = async () => {
    const { out } = await operateWith(ofOne, "backups", "--in", folder, "--json");
    return JSON.parse(out).backups as { name: string; shop: { host: string } | null }[];
  };
  for (let made = 0; made < 3; made += 1) {
    for (const env of [ofOne, ofOther]) {
      const { code } = await operateWith(env, "backup", "--to", folder, "--keep", "2");
      expect(code).toBe(0);
    }
  }
  const kept = await list();
  expect(kept.map(({ name, shop }) => shop?.host ?? name)).toEqual([
    unknown,
    "one.example.com",
    "other.example.com",
    "one.example.com",
    "other.example.com",
  ]);
  expect((await operateWith(ofOne, "backups", "--in", folder)).out).toContain("one.example.com (");

  await one.handOut();
  const restored = await operateWith(
    { ...ofOne, DATA_DIR: await emptyFolder() },
    "restore",
    folder,
    ...why,
    "--no-reconcile",
  );
  expect(restored).toMatchObject({ code: 0, err: expect.stringContaining("one of one.example.com (") });
  const stranger = await operateWith(
    { ...ofOne, SECRET_KEY: Buffer.alloc(32, 1).toString("base64"), DATA_DIR: await emptyFolder() },
    "restore",
    folder,
    ...why,
    "--no-reconcile",
  );
  expect(stranger.code).toBe(1);
  expect(stranger.err).toContain(`There are backups of several shops in ${folder}: name one of them.`);
  for (const host of ["one.example.com", "other.example.com"]) expect(stranger.err).toContain(host);
  expect(stranger.err).toContain(kept.at(-1)?.name ?? "none");
});

test("while Stripe is away a restore takes nothing over, so that what Stripe tells later is not mailed again", async () => {
  await using stage = await openStage();
  const { path } = await operated(stage, "backup", "--to", join(scratch, "away"));
  await stage.buy("buyer@example.com");
  await stage.shop.worker.drain();
  const mailed = stage.mail.messages().length;
  await stage.shop.stop({ noticeMilliseconds: 0 });
  const stoppedAt = `${new Date().toISOString().slice(0, 19)}Z`;
  const env = { ...settingsOf(stage), DATA_DIR: await emptyFolder() };
  const over = ["--take-over", "--stopped-at", stoppedAt, "--json", ...why];
  const away = await operateWith({ ...env, STRIPE_API_URL: "http://127.0.0.1:9" }, "restore", path, ...over);
  expect(away).toMatchObject({ code: 3, err: expect.stringContaining("It did not take over") });
  expect(JSON.parse(away.out)).toMatchObject({ taken_over: false });
  const { shop: copy } = await shopWith(env);
  await copy.periodicJobs.run();
  await copy.worker.drain();
  await copy.stop({ noticeMilliseconds: 0 });
  const taken = await operateWith(env, "take-over", "--stopped-at", stoppedAt, ...why);
  expect(taken).toMatchObject({ code: 0, out: expect.stringContaining("Left out") });
  const { shop } = await shopWith(env);
  try {
    await shop.worker.drain();
    expect(stage.mail.messages()).toHaveLength(mailed);
  } finally {
    await shop.stop({ noticeMilliseconds: 0 });
  }
});
