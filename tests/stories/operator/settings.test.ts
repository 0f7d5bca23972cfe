import { afterAll, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSettingsFile, writeSettingsFile } from "@/core/settings/settings-file";
import { operateAlone, operateWith } from "../../support/operator/run-operator";
import { runProcess } from "../../support/operator/run-process";
import { openTypist } from "../../support/operator/typist";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-settings-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));
let dataDir = "";
beforeEach(async () => void (dataDir = await mkdtemp(join(scratch, "data-"))));

const whole = {
  PUBLIC_URL: "https://shop.example.com",
  STRIPE_SECRET_KEY: "sk_test_canary",
  STRIPE_PUBLISHABLE_KEY: "pk_test_x",
  STRIPE_WEBHOOK_SECRET: "whsec_canary",
  MAIL: "off",
  DISCORD: "off",
};

/** `shop settings …` with this on its standard input. */
const typing = (input: string, ...args: string[]) =>
  runProcess([process.execPath, "src/operator/main.ts", "settings", ...args], {
    env: { PATH: process.env["PATH"], DATA_DIR: dataDir },
    input,
  });

const settings = (...args: string[]) => operateWith({ DATA_DIR: dataDir }, "settings", ...args);

test("the list says what each setting is and from where it comes, and no secret", async () => {
  const [SMTP_URL, METRICS_TOKEN] = ["smtp://canary@mail.example.com", "a-canary-of-metrics"];
  writeSettingsFile(dataDir, { CURRENCY: "eur", SMTP_URL, METRICS_TOKEN });
  const env = { DATA_DIR: dataDir, TIME_ZONE: "Europe/Berlin" };
  const { out } = await operateWith(env, "settings", "--json");
  const of = JSON.parse(out) as Record<string, { from: string }>;
  expect([of["TIME_ZONE"]?.from, of["CURRENCY"]?.from, of["SELLER"]?.from]).toEqual([
    "environment",
    "settings.env",
    "default",
  ]);
  const list = await operateWith(env, "settings");
  expect(list.out).toMatch(/^\| `CURRENCY` +\| eur +\| settings\.env +\| usd +\|/m);
  expect(list.out).toMatch(/^\| `SMTP_URL` +\| smtp:\/\/mail\.example\.com +\| settings\.env +\|/m);
  expect(list.out).toMatch(/^\| `METRICS_TOKEN` +\| \(secret\) +\| settings\.env +\|/m);
  expect(list.out).not.toContain("canary");
});

test("settings are set one after another, and whatever is wrong changes nothing", async () => {
  const first = await settings("set", "PUBLIC_URL=https://shop.example.com", "MAIL=off");
  expect(first).toMatchObject({
    code: 0,
    out: `Changed in ${dataDir}/settings.env: PUBLIC_URL, MAIL. The shop can't start yet: The setting STRIPE_SECRET_KEY is missing.\n`,
  });
  expect(await settings("set", "CURRENCY=euro")).toMatchObject({
    code: 1,
    err: expect.stringContaining("Nothing was changed. The setting CURRENCY"),
  });
  const keys = ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"];
  const mixed = await typing("sk_live_canary\npk_test_x\nwhsec_canary\n", "set", ...keys);
  expect(mixed.err).not.toContain("canary");
  expect(mixed).toMatchObject({ code: 1, err: expect.stringContaining("same mode as STRIPE_SECRET_KEY") });
  expect(readSettingsFile(dataDir)).toEqual({ PUBLIC_URL: "https://shop.example.com", MAIL: "off" });
  const given = await typing("sk_test_canary\npk_test_x\nwhsec_canary\n", "set", ...keys, "DISCORD=off");
  expect(given).toMatchObject({ code: 0, err: "" });
  expect(given.out).toEndWith("The shop reads it at its next start.\n");
  expect(given.out).not.toContain("canary");
  expect(readSettingsFile(dataDir)).toEqual(whole);
});

test("a shop that could start is not made one that can't", async () => {
  writeSettingsFile(dataDir, whole);
  expect(await settings("unset", "STRIPE_WEBHOOK_SECRET")).toMatchObject({
    code: 1,
    err: "Nothing was changed. The setting STRIPE_WEBHOOK_SECRET is missing.\n",
  });
  expect((await settings("unset", "CURRENCY")).out).toBe(`${dataDir}/settings.env says so already.\n`);
  expect(readSettingsFile(dataDir)).toEqual(whole);
});

test("no secret is taken from an argument, and no value from nothing", async () => {
  for (const secret of ["SECRET_KEY=canary", "SMTP_URL=smtp://a:canary@b", "METRICS_TOKEN=canary"]) {
    const refused = await settings("set", secret);
    expect(refused.err).not.toContain("canary");
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("type it when asked") });
  }
  expect((await typing("", "set", "METRICS_TOKEN")).err).toBe(
    "The setting METRICS_TOKEN got no value: `shop settings unset METRICS_TOKEN` takes it out.\n",
  );
  expect((await settings("set", "CURENCY=eur")).err).toBe(
    "There is no setting CURENCY: `shop settings` lists them.\n",
  );
  expect((await settings("set", "DATA_DIR=/elsewhere")).code).toBe(1);
});

test("what the environment sets is changed there", async () => {
  writeSettingsFile(dataDir, whole);
  const env = { DATA_DIR: dataDir, SMTP_URL: "smtp://mail.example.com", MAIL_FROM: "shop@example.com" };
  expect(await operateWith(env, "settings", "set", "MAIL_FROM=other@example.com")).toMatchObject({
    code: 1,
    err: "The environment sets SMTP_URL, MAIL_FROM, above settings.env: take that out of the environment to set MAIL_FROM here, or set MAIL_FROM there.\n",
  });
  const unset = await operateWith(env, "settings", "unset", "MAIL");
  expect(unset.out).toContain(
    `What stood there stays in ${dataDir}/settings.env.former until a start succeeds.`,
  );
});

test("a copy for another machine is private and replaces no file", async () => {
  const [file, to] = [join(dataDir, "settings.env"), join(dataDir, "copy.env")];
  expect((await settings("export", to)).err).toBe(`There is no ${file}: nothing was written.\n`);
  writeSettingsFile(dataDir, whole);
  expect((await settings("export", to)).code).toBe(0);
  expect((await stat(to)).mode & 0o777).toBe(0o600);
  expect(await Bun.file(to).text()).toBe(await Bun.file(file).text());
  expect((await settings("export", to)).err).toContain(`There is a file ${to} already`);
});

test("a secret that is typed at a terminal is not shown, and Ctrl-C changes nothing", async () => {
  const open = () => openTypist({ DATA_DIR: dataDir }, "settings", "set", "METRICS_TOKEN", "CURRENCY");
  using left = open();
  await left.sees("METRICS_TOKEN (not shown)");
  left.leaves();
  expect(await left.ended()).toBe(1);
  expect(left.shown()).toContain("Nothing was typed, and nothing was changed.");
  expect(readSettingsFile(dataDir)).toEqual({});
  using typist = open();
  await typist.answers("METRICS_TOKEN (not shown)", "a-canary-of-16-characters");
  await typist.answers("CURRENCY", "eur");
  expect([await typist.ended(), typist.shown().includes("canary")]).toEqual([0, false]);
  expect(readSettingsFile(dataDir)).toEqual({ METRICS_TOKEN: "a-canary-of-16-characters", CURRENCY: "eur" });
});

test("commands read the file as a start does", async () => {
  writeSettingsFile(dataDir, { CURRENCY: "euro" });
  expect((await operateAlone({ DATA_DIR: dataDir }, "offers", "list")).err).toBe(
    `The setting CURRENCY in ${dataDir}/settings.env must be a currency of three small letters, such as usd.\n`,
  );
});
