import { operator } from "@/core/base/actor";
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { createLocalJWKSet, jwtVerify } from "jose";
import { createLicence } from "@/client/client";
import { day, minute } from "@/contract/vocabulary/time";
import { readConfig } from "@/core/settings/config";
import { createLog } from "@/core/log/log";
import { hwidHashOf } from "@/domain/blocks/hashes";
import { publicKeyFromPem, signatureFits } from "@/domain/releases/signatures";
import * as accountTables from "@/domain/schema/accounts";
import * as deviceTables from "@/domain/schema/devices";
import * as communityTables from "@/domain/schema/discord";
import * as licenceTables from "@/domain/schema/licences";
import * as paymentTables from "@/domain/schema/payments";
import * as stripeTables from "@/domain/schema/stripe-endpoints";
import * as webhookTables from "@/domain/schema/webhooks";
import { rotateSecrets, sealedColumns } from "@/domain/secrets/rotate";
import { startShop } from "@/shop";
import { connect } from "../../support/people/discord";
import { operateAlone, operateWith, operated, settingsOf } from "../../support/operator/run-operator";
import { Person } from "../../support/people/person";
import { release } from "../../support/shop/publish-release";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import {
  codeAt,
  confirmation,
  login,
  mailsTo,
  member,
  password,
  turnOnMfa,
} from "../../stories/accounts/people";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-rotation-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** The stage's own secret, and those that replace it. */
const [first, second, third] = [7, 8, 9].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const base64 = (key: Uint8Array) => Buffer.from(key).toString("base64");
const why = ["--reason", "the settings were copied"];
const newKeySubject = "Your new Wisp Premium license key";
const machine = { hwid: "machine-number-one", label: "Study", os: "Linux x64", version: "1.0.0" };

type Keys = { now: Uint8Array; old?: Uint8Array };
const settingsWith = (stage: Stage, { now, old }: Keys): Record<string, string> => ({
  ...settingsOf(stage),
  SECRET_KEY: base64(now),
  ...(old ? { SECRET_KEY_OLD: base64(old) } : {}),
});
const shopWith = (stage: Stage, keys: Keys, ...args: string[]) =>
  operateWith(settingsWith(stage, keys), ...args);

/** Starts the real program on the data of a stage that is down; resolves to why it refuses to start. */
async function refusalOf(stage: Stage, keys: Keys): Promise<string> {
  const child = Bun.spawn([process.execPath, "src/main.ts"], {
    cwd: join(import.meta.dir, "../../.."),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    env: { PATH: process.env["PATH"] ?? "", ...settingsWith(stage, keys), PORT: "0" },
  });
  const [errors, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  return `${code}: ${errors.trim()}`;
}

/** An account's application. */
async function application(person: Person) {
  const { api_key: token } = (await person.get("/api/user/me")).body.data;
  const ask = (path: string, on: object = machine) =>
    person.post(`/api/app/v1/${path}`, on, { authorization: `Bearer ${token}`, cookie: "" });
  return {
    token: token as string,
    ask,
    validate: ({ hwid, version } = machine) => ask("validate", { hwid, version }),
  };
}

const keysAt = async (stage: Stage) => createLocalJWKSet((await stage.person().get("/api/app/v1/keys")).body);
const emailsTo = async (stage: Stage, to: string) =>
  (await mailsTo(stage, to)).filter(({ subject }) => subject === newKeySubject);
const keyIn = (text: string) => /^\s*([A-Z0-9]+(?:-[A-Z0-9]{4}){4})\s*$/m.exec(text)?.[1] ?? "";

/** Restarts with both secrets, rotates, and restarts with the new one alone. */
async function rotated(stage: Stage, { now, old }: Required<Keys>): Promise<void> {
  await stage.restart({ secrets: { secretKey: now, secretKeyOld: old } });
  const { code, err } = await shopWith(stage, { now, old }, "secrets", "rotate", ...why);
  expect([code, err]).toEqual([0, ""]);
  await stage.restart({ secrets: { secretKey: now, secretKeyOld: null } });
}

test("after SECRET_KEY leaked everything continues under a new one, and the leaked one is worthless", async () => {
  await using stage = await openStage({ discord: true });
  const owner = stage.person();
  const sold = await stage.buy("owner@example.com");
  expect((await owner.register(sold.key, "owner", password)).status).toBe(200);
  expect((await connect(stage, owner, "ada")).status).toBe(200);
  const { secret, recoveryCodes } = await turnOnMfa(stage, owner);
  const app = await application(owner);
  const activated = await app.ask("activate");
  expect(activated.body.code).toBe("VALID");
  const earlier: string = activated.body.data.token;
  const waiting = await stage.buy("waiting@example.com");
  const gift = await stage.handOut();
  await release(stage, "1.0.0", { only: ["win_exe"] });
  const buildKey = (await owner.get("/api/version/builds")).body.data.signing_key;
  const changed = await member(stage, "changed");
  await changed.post("/api/user/email/reset", { email: "new@example.com", password });
  const { token: asked } = await confirmation(stage, "new@example.com");

  const both = { now: second, old: first };
  // it can't be changed while a shop still runs under the old one
  expect((await shopWith(stage, both, "secrets", "rotate", ...why)).err).toBe(
    "The setting SECRET_KEY is new to this database: start the shop with it and SECRET_KEY_OLD first.\n",
  );
  await stage.restart({
    secrets: { secretKey: second, secretKeyOld: first },
    meanwhile: async () => {
      expect(await refusalOf(stage, { now: second })).toBe(
        "1: The setting SECRET_KEY is not the one that this database was made with. To replace that one, set it as SECRET_KEY_OLD.",
      );
      expect(await refusalOf(stage, { now: second, old: third })).toBe(
        "1: The setting SECRET_KEY is not the one that this database was made with. To replace that one, set it as SECRET_KEY_OLD.",
      );
      expect(await refusalOf(stage, { now: first, old: third })).toBe(
        "1: The setting SECRET_KEY_OLD is not the secret that this database was under before.",
      );
      expect(await refusalOf(stage, { now: first, old: first })).toBe(
        "1: The setting SECRET_KEY_OLD must be another secret than SECRET_KEY.",
      );
    },
  });
  expect((await app.validate()).body.code).toBe("VALID");
  expect((await login(stage.person(), "owner", { security_code: codeAt(stage, secret) })).status).toBe(200);
  await jwtVerify(earlier, await keysAt(stage));
  expect((await stage.person().get("/api/version/builds")).body.data.signing_key).toBe(buildKey);

  const toBeKilled = { ...settingsWith(stage, both), FAILPOINT: "secrets.page-sealed@1" };
  expect((await operateAlone(toBeKilled, "secrets", "rotate", ...why)).code).toBe(137);
  const shown = JSON.parse((await shopWith(stage, both, "secrets", "show", "--json")).out);
  expect(shown.state).toBe("rotating");
  expect(shown.left).toBeGreaterThan(0);
  expect((await shopWith(stage, both, "doctor")).out).toContain("still encrypted with SECRET_KEY_OLD");
  expect((await shopWith(stage, { now: second }, "secrets", "show")).err).toBe(
    "The setting SECRET_KEY_OLD must stay until `shop secrets rotate` has finished.\n",
  );
  // while the shop keeps selling
  const rotate = async () => {
    let runs = 1;
    for (; (await operateAlone(toBeKilled, "secrets", "rotate", ...why)).code === 137; runs += 1);
    return runs;
  };
  const [meanwhile, runs] = await Promise.all([stage.buy("meanwhile@example.com"), rotate()]);
  expect(runs).toBeGreaterThan(2);
  expect(JSON.parse((await shopWith(stage, both, "secrets", "show", "--json")).out).state).toBe("current");
  const again = await shopWith(stage, both, "secrets", "rotate", ...why, "--json");
  expect(JSON.parse(again.out)).toMatchObject({ resealed: 0, reissued: 0 });

  await stage.restart({ secrets: { secretKey: second, secretKeyOld: null } });
  stage.advance(minute);
  const entered = stage.person();
  expect((await login(entered, "owner", { security_code: codeAt(stage, secret) })).status).toBe(200);
  expect((await login(stage.person(), "owner", { security_code: recoveryCodes[0] })).status).toBe(200);
  expect((await owner.get("/api/user/me")).body.data).toMatchObject({ api_key: app.token });
  expect((await owner.get("/api/licenses/me")).body.data[0].key).toBe(sold.key);
  expect((await app.validate({ ...machine, hwid: "machine-number-two" })).body.code).toBe("HWID_MISMATCH");
  const validated = await app.validate();
  expect(validated.body.code).toBe("VALID");
  for (const token of [earlier, validated.body.data.token]) await jwtVerify(token, await keysAt(stage));
  const { builds, signing_key: newKey } = (await owner.get("/api/version/builds")).body.data;
  const { sha512, signature } = builds.win_exe;
  const fits = signatureFits(
    Buffer.from(sha512, "base64"),
    Buffer.from(signature, "base64"),
    publicKeyFromPem(newKey),
  );
  expect([fits, newKey === buildKey]).toEqual([true, false]);
  expect((await changed.post("/api/user/email/confirm", { token: asked })).status).toBe(200);

  // what a thief with the old secret could compute
  expect((await stage.person().register(waiting.key, "thief")).body.code).toBe("license_unknown");
  const [email, ...more] = await emailsTo(stage, "waiting@example.com");
  expect(more).toEqual([]);
  const fresh = keyIn(email?.text ?? "");
  expect((await stage.person().register(fresh, "waiting")).status).toBe(200);
  for (const to of ["owner@example.com", "meanwhile@example.com"]) {
    expect(await emailsTo(stage, to)).toEqual([]);
  }
  expect((await stage.person().register(meanwhile.key, "meanwhile")).status).toBe(200);
  // which the secret reveals nothing about
  expect((await stage.person().register(gift, "gifted")).status).toBe(200);

  expect((await owner.post("/api/discord/deauth")).status).toBe(200);
  await eventually(
    () => stage.ctx.store.client.execute("SELECT * FROM outbox WHERE topic = 'discord.revoke'"),
    ({ rows }) => rows.length === 0,
  );
});

test("without the secret that it replaces, a rotation is refused and changes nothing", async () => {
  await using stage = await openStage();
  const { code, out, err } = await shopWith(stage, { now: first }, "secrets", "rotate", ...why);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toStartWith("The setting SECRET_KEY_OLD is missing, so there is nothing to replace");
  const { out: trail } = await shopWith(stage, { now: first }, "audit", "show", "--action", "secrets");
  expect(trail).toBe("Nothing matches.\n");
});

test("a key redeemed while it is being replaced works once, either the old one or the one that was mailed", async () => {
  await using stage = await openStage();
  const sold = await Promise.all(Array.from({ length: 12 }, (_, at) => stage.buy(`buyer${at}@example.com`)));
  await stage.restart({ secrets: { secretKey: second, secretKeyOld: first } });
  const racing = sold.map(({ key }, at) => stage.person().register(key, `racer${at}`));
  await racing[0];
  const report = await rotateSecrets(stage.ctx, { actor: operator, reason: "a race" });
  const answers = await Promise.all(racing);
  expect(answers.filter(({ status }) => status !== 200)).toHaveLength(report.reissued);
  for (const [at, { status, body }] of answers.entries()) {
    const mails = await emailsTo(stage, `buyer${at}@example.com`);
    if (status === 200) {
      expect(mails).toEqual([]);
    } else {
      expect(body.code).toBe("license_unknown");
      expect((await stage.person().register(keyIn(mails[0]?.text ?? ""), `later${at}`)).status).toBe(200);
    }
  }
});

test("an old token's key stays published while the token may be in use, and applications that know no other keep working", async () => {
  await using stage = await openStage();
  const owner = await member(stage, "owner");
  const { token } = await application(owner);
  let text: string | null = null;
  const keeper = {
    read: async () => text,
    write: async (key: string) => {
      text = key;
    },
  };
  const { keys } = (await owner.get("/api/app/v1/keys")).body;
  const options = { shop: stage.url.href, token, hwid: "a machine", version: "1.0.0", keeper, keys };
  const before = createLicence(options);
  expect((await before.activate({ label: "Study", os: "Linux" })).code).toBe("VALID");
  const earlier = stage.url.origin;
  await rotated(stage, { now: second, old: first });
  // the shop of the story has another port after a restart
  const pinned = createLicence({
    ...options,
    shop: stage.url.href,
    issuers: [earlier, stage.url.origin],
  });
  expect(await pinned.check()).toMatchObject({ code: "VALID", online: false });
  const publicKeys = (await owner.get("/api/app/v1/keys")).body.keys;
  expect(publicKeys).toHaveLength(2);
  expect(publicKeys[1]).toEqual(keys[0]);
  stage.advance(365 * day);
  expect((await stage.person().get("/api/app/v1/keys")).body.keys).toEqual([publicKeys[0]]);
});

test("values known only by their hash survive two rotations and are rehashed when next seen", async () => {
  await using stage = await openStage();
  const people = await Promise.all(["ada", "bob"].map((name) => member(stage, name)));
  const apps = await Promise.all(people.map((person) => application(person)));
  const [ada, bob] = apps as [(typeof apps)[0], (typeof apps)[0]];
  for (const app of apps) expect((await app.ask("activate")).body.code).toBe("VALID");
  const { recoveryCodes } = await turnOnMfa(stage, people[0]!);
  await rotated(stage, { now: second, old: first });
  expect((await ada.validate()).body.code).toBe("VALID");
  await rotated(stage, { now: third, old: second });
  for (const app of apps) expect((await app.validate()).body.code).toBe("VALID");
  expect((await bob.validate({ ...machine, hwid: "machine-number-two" })).body.code).toBe("HWID_MISMATCH");
  const hash = stage.ctx.secrets.fingerprint("device", hwidHashOf(machine.hwid));
  const { rows } = await stage.ctx.store.client.execute("SELECT computer_hash FROM devices");
  expect(rows.map((row) => row["computer_hash"])).toEqual([hash, hash]);
  expect((await login(stage.person(), "ada", { security_code: recoveryCodes[1] })).status).toBe(200);
});

test("an older backup is restored under the new secret, and an order that it lacks gets the key that was mailed", async () => {
  await using stage = await openStage();
  const kept = await stage.buy("kept@example.com");
  const { path } = await operated(stage, "backup", "--to", scratch);
  const late = await stage.buy("late@example.com");
  await rotated(stage, { now: second, old: first });
  const mailed = keyIn((await emailsTo(stage, "late@example.com"))[0]?.text ?? "");
  const machineDir = await mkdtemp(join(scratch, "machine-"));
  const without = { ...settingsWith(stage, { now: second }), DATA_DIR: machineDir };
  const elsewhere = { ...without, SECRET_KEY_OLD: base64(first) };
  expect((await operateWith(without, "restore", path, ...why)).code).toBe(1);
  const restored = await operateWith(elsewhere, "restore", path, ...why, "--json");
  expect([restored.code, restored.err]).toEqual([0, ""]);
  expect(JSON.parse(restored.out).reconciliation).toMatchObject({ changed: 1, failed: 0 });
  const done = await operateWith(elsewhere, "secrets", "rotate", ...why, "--json");
  expect(JSON.parse(done.out)).toMatchObject({ reissued: 1 });

  const config = readConfig({ ...without, PORT: "0", TRUSTED_PROXIES: "1" });
  const { stripe, mail } = config;
  if (!stripe || !mail) throw new Error("the stage needs Stripe and mail");
  const shop = await startShop(
    { ...config, stripe, mail, discord: "off" },
    { log: createLog("error", () => {}) },
  );
  try {
    const person = () => new Person(() => shop.url);
    for (const old of [kept.key, late.key]) {
      expect((await person().register(old, "thief")).body.code).toBe("license_unknown");
    }
    expect((await person().register(mailed, "late")).status).toBe(200);
    const own = keyIn((await emailsTo(stage, "kept@example.com"))[0]?.text ?? "");
    expect((await person().register(own, "kept")).status).toBe(200);
  } finally {
    await shop.stop();
  }
});

test("every column of sealed values is resealed", () => {
  const tables = [
    accountTables,
    deviceTables,
    communityTables,
    licenceTables,
    paymentTables,
    stripeTables,
    webhookTables,
  ]
    .flatMap((module) => Object.values(module) as unknown[])
    .filter((one) => is(one, SQLiteTable));
  const sealed = tables.flatMap((table) =>
    Object.values(getTableColumns(table))
      .filter(({ name }) => name.endsWith("_sealed"))
      .map(({ name }) => `${getTableName(table)}.${name}`),
  );
  const known = sealedColumns.map((column) => `${getTableName(column.sealed.table)}.${column.sealed.name}`);
  expect([...known, "licences.key_sealed"].toSorted()).toEqual(sealed.toSorted());
});
