import "@/brand/read-first";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { money } from "@/contract/vocabulary/money";
import { otherBun } from "@/core/settings/bun-version";
import { type Config, ConfigError, configOf, leftOutInWords, type ShopConfig } from "@/core/settings/config";
import { MissingSetting } from "@/core/settings/config-error";
import { forgetFormerSettings, settingsFile } from "@/core/settings/settings-file";
import {
  dataDirOf,
  demoSettings,
  environmentHere,
  isDemo,
  isSet,
  leftToRealShop,
  settingsHere,
} from "@/core/settings/settings-here";
import { databaseFault } from "@/core/database/database-fault";
import { diskFault } from "@/core/database/disk-fault";
import { createLog, type Log, reasonOf } from "@/core/log/log";
import { refusalIn } from "@/core/base/refusal";
import { release } from "@/core/database/release";
import type { Simulated } from "@/domain/system/simulated";
import { offersOnSale } from "@/domain/offers/list";
import { type ShopOptions, startShop } from "./shop";

/**
 * `bun src/main.ts`: the whole shop in one process. `--dev` serves the pages with hot reloading; `--new` creates a new
 * shop in an empty database despite traces of an earlier shop.
 */
async function main() {
  const other = otherBun();
  if (other && !other.fits) throw new ConfigError(other.sentence);
  const environment = environmentHere();
  const demo = isDemo(environment);
  const config = configOf(demo ? demoSettings(environment) : settingsHere(environment));
  const log = createLog(config.logLevel);
  if (other) log.warn("another Bun than the tested one runs this", { reason: other.sentence });
  for (const name of config.unknown) log.warn("there is no such setting", { name });
  for (const one of config.leftOut) {
    log.warn("settings in the settings file are not read", { reason: leftOutInWords(one, config) });
  }
  if (demo) {
    for (const name of leftToRealShop(environment)) log.warn("the demo does not take this setting", { name });
  }
  const { stripe, mail, discord } = config;
  const development = process.argv.includes("--dev");
  if (development && config.production) {
    throw new ConfigError("--dev serves pages without their content policy: leave NODE_ENV=production away.");
  }
  const pages = development ? await developmentPages() : builtPages(config, log);
  if (stripe && mail && discord) {
    const shop = await startShop(
      { ...config, stripe, mail, discord },
      { log, isNew: process.argv.includes("--new"), ...pages },
    );
    forgetFormerSettings(config.dataDir);
    log.info("the shop is open", { url: shop.url.href, release: release.number });
    for (const { name, amount, currency } of (await offersOnSale(shop.ctx)).slice(0, 1))
      log.info("it sells", { name, price: money(amount, currency) });
    return () => shop.stop();
  }
  if (!demo && existsSync(settingsFile(config.dataDir))) {
    throw new ConfigError(
      `A real shop is set up in ${config.dataDir}, and the demo takes no part in it: \`NODE_ENV=production npm start\` starts it.`,
    );
  }
  const { startDemo } = await import("./demo/start");
  const start = (complete: ShopConfig, simulated: Simulated) =>
    startShop(complete, { log, isNew: true, simulated, ...pages });
  return startDemo(config, start, { realIn: demo ? dataDirOf(environment) : null });
}

const builtPages = (
  { dataDir, sales, hsts, discord, showsTotalUsers }: Config,
  log: Log,
): Pick<ShopOptions, "pages"> => ({
  pages: async (publicUrl, offers) => {
    const { createSite } = await import("@/serving/site");
    return createSite({
      publicUrl,
      hsts,
      offers,
      currency: sales.currency,
      without: [
        ...(discord === "off" ? (["discord"] as const) : []),
        ...(showsTotalUsers ? [] : (["total-users"] as const)),
      ],
      cacheDir: join(dataDir, "site"),
      servesLast: true,
      log: (line) => log.info(line),
    });
  },
});

async function developmentPages(): Promise<Pick<ShopOptions, "developmentRoutes">> {
  const { developmentRoutes } = await import("@/serving/development");
  return { developmentRoutes: developmentRoutes() };
}

/** An error that stops a start holds nothing that a customer typed, so the operator sees all of it. */
function sentenceOf(error: unknown): string {
  const refusal = refusalIn(error);
  if (refusal?.detail.sentence !== undefined) return refusal.detail.sentence;
  if (refusal?.code === "unavailable") {
    return `its database can't be used (${databaseFault(refusal)?.sentence ?? reasonOf(refusal.cause)}).`;
  }
  const disk = diskFault(error);
  if (disk !== null) return disk;
  return error instanceof AggregateError ? error.errors.map(String).join("\n") : String(error);
}

/** Until set-up writes settings, or for a minute: an engine that restarts this would start it again and again. */
async function untilSet(): Promise<void> {
  const file = settingsFile(dataDirOf(environmentHere()));
  const written = () => statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  const before = written();
  for (let second = 0; second < 60 && written() === before; second++) await Bun.sleep(1_000);
}

let stop: (() => Promise<void>) | undefined;
// A process group gets signals more than once, from the terminal and from npm; the second must not end the drain.
let leaving: Promise<never> | undefined;
const leave = () => void (leaving ??= (stop?.() ?? Promise.resolve()).then(() => process.exit(0)));
process.on("SIGTERM", leave);
process.on("SIGINT", leave);
try {
  stop = await main();
} catch (error) {
  const sentence =
    error instanceof ConfigError ? error.message : `The shop could not start: ${sentenceOf(error)}`;
  console.error(sentence);
  if (error instanceof MissingSetting && isSet(environmentHere(), "IN_CONTAINER")) await untilSet();
  process.exit(1);
}
