import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type Config, ConfigError, isLiveKey, readConfig } from "@/core/config";
import type { Ctx } from "@/core/context";
import { openStore } from "@/core/database";
import { arm } from "@/core/failpoints";
import { createLog } from "@/core/log";
import { openSecrets, rootKeysOf } from "@/core/open-secrets";
import type { CheckoutGateway } from "@/domain/payments/checkout";
import type { BuildStore } from "@/domain/releases/store";
import type { ByHand } from "@/core/audit";
import { createBuildStore } from "@/gateways/storage/build-store";

/** What each command is given. */
export type OpenShop = {
  ctx: Ctx;
  config: Config;
  builds: BuildStore;
  /** Stripe, for the commands that need it. */
  checkout: () => Promise<CheckoutGateway>;
};

/**
 * Opens the shop that the environment names, runs the command, and closes it. The shop may be running at the
 * same time, except with `alone`: every write is one atomic statement that waits for its turn. Never creates a shop.
 */
export async function withShop<T>(
  verb: (shop: OpenShop) => Promise<T>,
  { alone = false, check = false }: { alone?: boolean; check?: boolean } = {},
): Promise<T> {
  const config = readConfig();
  const { url } = config.database;
  if (url.startsWith("file:") && !existsSync(fileURLToPath(url))) {
    throw new ConfigError(
      `There is no shop in ${config.dataDir}: set DATA_DIR, or start the shop once first.`,
    );
  }
  if (config.failpoint) arm(config.failpoint.name, config.failpoint.passes);
  const keys = await rootKeysOf(config);
  const store = await openStore(config.database, {
    sole: alone,
    patient: true,
    ...(check ? { checkUpTo: Infinity } : {}),
  });
  try {
    const secrets = await openSecrets(store, keys, { mayBegin: alone });
    const log = createLog("warn", (line) => {
      console.error(line);
    });
    const livemode = config.stripe !== null && isLiveKey(config.stripe.secretKey);
    const { currency } = config.sales;
    const ctx: Ctx = { store, secrets, log, livemode, currency, now: () => new Date(), wake: () => {} };
    const builds = createBuildStore(config.builds);
    return await verb({ ctx, config, builds, checkout: () => checkoutOf(config) });
  } finally {
    store.close();
  }
}

/** Loaded only by the commands that need it: it takes longer to load than most commands take to run. */
async function checkoutOf({ stripe, sales }: Config): Promise<CheckoutGateway> {
  if (!stripe) {
    throw new ConfigError(
      "The setting STRIPE_SECRET_KEY is missing: the Stripe simulator is only for the demo.",
    );
  }
  const { createStripeGateway } = await import("@/gateways/stripe/gateway");
  return createStripeGateway(stripe, sales);
}

/** Every command can answer in JSON, for scripts. */
export const withJson = (command: Command): Command =>
  command.addOption(new Option("--json", "answer in JSON"));

/** A command that changes something says why. */
export const withReason = (command: Command): Command =>
  withJson(command).requiredOption("--reason <why>", "the reason, kept in the audit log", notBlank);

function notBlank(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("Give a reason in a few words.");
  return text.trim();
}

export const byOperator = (reason: string): ByHand => ({ actor: "operator", reason });

/** Examples at the end of a command's help. */
export const example = (...lines: string[]) =>
  `\nExample:\n${lines.map((line) => `  bun run shop ${line}`).join("\n")}`;

/** Prints the answer: the data for scripts, or a sentence for people. */
export function say(json: boolean | undefined, data: unknown, sentence: string): void {
  console.log(json ? JSON.stringify(data) : sentence);
}
