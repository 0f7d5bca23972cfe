import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import { reasonLength } from "@/contract/vocabulary/bounds";
import { line } from "@/contract/vocabulary/fields";
import { type Config, ConfigError, configOf, isLiveKey, readConfig } from "@/core/settings/config";
import { commandSettings, environmentHere } from "@/core/settings/settings-here";
import type { Ctx } from "@/core/database/context";
import { expectNotLost, openStore } from "@/core/database/database";
import { arm } from "@/core/log/failpoints";
import { fileOf } from "@/core/settings/storage-location";
import { createLog } from "@/core/log/log";
import { openSecrets, rootKeysOf } from "@/core/database/open-secrets";
import { restoredCopy } from "@/core/database/restored-copy";
import { expectRealWith } from "@/domain/system/simulated";
import { expectFixed } from "@/domain/offers/fixed";
import type { CheckoutGateway } from "@/domain/payments/port/stripe";
import { checkoutOfCopy } from "@/domain/payments/port/checkout-of-copy";
import { type BuildStore, storeOfCopy } from "@/domain/releases/store";
import { type By, operator } from "@/core/base/actor";
import { createBuildStore } from "@/gateways/storage/build-store";
import { readerOf } from "./arguments";

/** What each command gets. */
export type OpenShop = {
  ctx: Ctx;
  config: Config;
  builds: BuildStore;
  /** Stripe, for the commands that need it. */
  checkout: () => Promise<CheckoutGateway>;
};

type OpenOptions = {
  /** Refuses while a shop or another such command runs on the database's file. */
  alone?: boolean;
  /** Checks the file for damage, whatever its size. */
  check?: boolean;
  /** Opens the shop even if it was moved to another database. */
  evenMoved?: boolean;
  /** Replaces the database in the settings. */
  database?: Config["database"];
};

/**
 * Opens the shop that the environment names, runs the command, and closes it. The shop may be running at the
 * same time, except with `alone`: every write is one atomic statement that waits for its turn. Never creates a shop.
 */
export async function withShop<T>(
  command: (shop: OpenShop) => Promise<T>,
  { alone = false, check = false, evenMoved = false, database }: OpenOptions = {},
): Promise<T> {
  const config = database ? { ...readConfig(), database } : configOf(commandSettings(environmentHere()));
  const { url } = config.database;
  const file = fileOf(url);
  if (file) expectNotLost(file);
  if (file && !existsSync(file)) throw noShop(config.dataDir, "DATA_DIR");
  if (config.failpoint) arm(config.failpoint.name, config.failpoint.passes);
  const keys = await rootKeysOf(config);
  const store = await openStore(config.database, {
    sole: alone,
    patient: true,
    evenMoved,
    begin: () => Promise.reject(noShop(url, "DATABASE_URL")),
    ...(check ? { checkUpTo: Infinity } : {}),
  });
  try {
    const secrets = await openSecrets(store, keys, { mayBegin: alone });
    const log = createLog("warn", (line) => {
      console.error(line);
    });
    const livemode = config.stripe !== null && isLiveKey(config.stripe.secretKey);
    const { timeZone, sales } = config;
    const { currency } = sales;
    const ctx: Ctx = { store, secrets, log, livemode, currency, timeZone, now: () => new Date() };
    await expectRealWith(config, ctx);
    await expectFixed(ctx);
    const isCopy = (await restoredCopy(ctx)) !== null;
    const builds = createBuildStore(config.builds);
    return await command({
      ctx,
      config,
      builds: isCopy ? storeOfCopy(builds) : builds,
      checkout: async () => (isCopy ? checkoutOfCopy(await checkoutOf(config)) : checkoutOf(config)),
    });
  } finally {
    store.close();
  }
}

const noShop = (where: string, setting: string) =>
  new ConfigError(`There is no shop in ${where}: set ${setting}, or start the shop once first.`);

/** Loaded only by the commands that need it: loading takes longer than most commands run. */
async function checkoutOf({ stripe, sales, publicUrl }: Config): Promise<CheckoutGateway> {
  if (!stripe) {
    throw new ConfigError(
      "The setting STRIPE_SECRET_KEY is missing: the Stripe simulator is only for the demo.",
    );
  }
  const { createStripeGateway } = await import("@/gateways/stripe/gateway");
  return createStripeGateway(stripe, sales, publicUrl);
}

/** Every command can answer in JSON, for scripts, and ends its help with examples. */
export const withJson = (command: Command, ...examples: string[]): Command => {
  command.addOption(new Option("--json", "answer in JSON"));
  return examples.length > 0 ? command.addHelpText("after", example(...examples)) : command;
};

export const readReason = readerOf(line({ label: "Reason", ...reasonLength })) as (typed: string) => string;

/** The options of a command that changes something. */
export type ChangeOptions = { reason: string; json?: boolean };

const reason = () => new Option("--reason <why>", "the reason, kept in the audit log").argParser(readReason);

/** A command that changes something says why. */
export const withReason = (command: Command, ...examples: string[]): Command =>
  withJson(command, ...examples).addOption(reason().makeOptionMandatory());

/** A command that may say why. */
export const withOptionalReason = (command: Command, ...examples: string[]): Command =>
  withJson(command, ...examples).addOption(reason());

export const byOperator = (reason = ""): By => ({ actor: operator, reason });

/** Examples at the end of a command's help. */
export const example = (...lines: string[]) =>
  `\nExample:\n${lines.map((line) => `  bun run shop ${line}`).join("\n")}`;

/** Prints the answer: the data for scripts, or a sentence for people. */
export function print(json: boolean | undefined, data: unknown, sentence: string): void {
  console.log(json ? JSON.stringify(data) : sentence);
}
