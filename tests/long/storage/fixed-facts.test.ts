/** The currency of a shop's orders and the prefix of its keys stay what they are in a restored copy. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { brand } from "@/brand/brand";
import { writeSettingsFile } from "@/core/settings/settings-file";
import { makeBrand } from "@/operator/files/brand-folder";
import { operateAlone, settingsOf } from "../../support/operator/run-operator";
import { runProcess } from "../../support/operator/run-process";
import { openMachine } from "../../support/operator/set-up";
import { backUpStage } from "../../support/shop/back-up";
import { openStage, type Stage } from "../../support/shop/stage";

let stage: Stage;
let machine: Awaited<ReturnType<typeof openMachine>>;
let backup = "";
beforeAll(async () => {
  stage = await openStage();
  await stage.buy();
  machine = await openMachine();
  backup = join(machine.folder, await backUpStage(stage, machine.folder));
  const { DATA_DIR: _, ...settings } = settingsOf(stage);
  writeSettingsFile(machine.dataDir, settings);
});
afterAll(async () => {
  await machine[Symbol.asyncDispose]();
  await stage[Symbol.asyncDispose]();
});

const otherCurrency =
  "The setting CURRENCY is eur, but this shop has orders in usd: set CURRENCY=usd, or begin another shop with a database of its own.";
const otherPrefix = `The brand's key prefix is OTHER, but this shop made keys that begin with ${brand.keyPrefix}, which it could no longer read: set the prefix to ${brand.keyPrefix}.`;

const database = () => join(machine.dataDir, "shop.db");
const operate = (env: Record<string, string>, ...args: string[]) =>
  operateAlone({ ...machine.env, ...env }, ...args, "--reason", "a drill");
const restore = (env: Record<string, string>, ...options: string[]) =>
  operate(env, "restore", backup, "--no-reconcile", ...options);

/** Another brand, as BRAND names it. */
function otherBrand() {
  const BRAND = join(machine.folder, "other");
  const seller = "Olga Owner";
  const named = { product: "Other", shortName: "Other", keyPrefix: "OTHER", seller, price: "29.00" };
  if (!existsSync(BRAND)) makeBrand(BRAND, { ...named, supportEmail: "help@other.example" });
  return { BRAND };
}

const others = (): [string, Record<string, string>][] => [
  [otherCurrency, { CURRENCY: "eur" }],
  [otherPrefix, otherBrand()],
];

test("a backup isn't restored with another currency or prefix, also not to take over, and leaves no database", async () => {
  for (const [sentence, env] of others()) {
    for (const options of [[], ["--take-over"]]) {
      expect(await restore(env, ...options)).toMatchObject({ code: 1, err: `${sentence}\n` });
      expect(existsSync(database())).toBe(false);
    }
  }
});

test("a restored copy isn't started, taken over or set up with another currency or prefix", async () => {
  expect(await restore({})).toMatchObject({ code: 0 });
  const production = { ...machine.env, NODE_ENV: "production", PORT: "0" };
  for (const [sentence, env] of others()) {
    const started = await runProcess([process.execPath, "src/main.ts"], { env: { ...production, ...env } });
    expect(started).toMatchObject({ code: 1, err: expect.stringContaining(sentence) });
    const taken = await operate(env, "take-over");
    expect(taken).toMatchObject({ code: 1, err: `${sentence}\n` });
    const { BRAND, ...answers } = env;
    const { words } = await machine.answered(answers);
    const setUp = await operateAlone({ ...machine.env, ...(BRAND ? { BRAND } : {}) }, ...words);
    expect(setUp).toMatchObject({ code: 1, err: `${sentence}\n` });
  }
  expect(machine.settings()).not.toHaveProperty("CURRENCY");
});
