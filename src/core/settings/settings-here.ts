import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { withoutQuotes } from "@/contract/vocabulary/plain-words";
import type { Environment } from "./environment";
import {
  isSetting,
  type Service,
  services,
  type SettingName,
  settingNames,
  settings,
  settingsOf,
} from "./settings";
import { settingLines, settingsFile } from "./settings-file";

export { type Environment, environmentHere } from "./environment";

/** A service whose settings in the file are not read, and the names that the environment sets of it. */
export type LeftOut = { service: Service; because: string };
export type SettingsHere = {
  dataDir: string;
  environment: Environment;
  /** The environment, with what the file adds. */
  values: Environment;
  /** The settings that come from the file. */
  fromFile: string[];
  leftOut: LeftOut[];
  /** Names in the file that are no settings, each with its place. */
  unknown: string[];
};

/**
 * The settings of an environment and, below it, of `settings.env` in its data folder. A service's settings come whole
 * from one place: the file's are not read if the environment sets one of them.
 */
export function settingsHere(environment: Environment): SettingsHere {
  const dataDir = dataDirOf(environment);
  const lines = settingLines(dataDir);
  const file = Object.fromEntries([...lines].map(([name, { value }]) => [name, value]));
  const unknown = [...lines].filter(([name]) => !isSetting(name));
  return {
    ...withFile(environment, file),
    unknown: unknown.map(([name, { line }]) => `${name} (${settingsFile(dataDir)}, line ${line})`),
  };
}

/** The same with these values in the file's place. */
export function withFile(environment: Environment, file: Record<string, string>): SettingsHere {
  const isInFile = (name: SettingName) => Boolean(file[name]);
  const leftOut = services.flatMap((service) => {
    const names = settingsOf(service);
    const because = names.filter((name) => isSet(environment, name));
    return because.length > 0 && names.some(isInFile) ? [{ service, because: because.join(", ") }] : [];
  });
  const left = new Set(leftOut.flatMap(({ service }) => settingsOf(service)));
  const fromFile = settingNames.filter(
    (name) => isInFile(name) && !left.has(name) && !isSet(environment, name),
  );
  const values = { ...environment, ...Object.fromEntries(fromFile.map((name) => [name, file[name]])) };
  return { dataDir: dataDirOf(environment), environment, values, fromFile, leftOut, unknown: [] };
}

/** The environment of a child that needs only these settings. */
export const withSettings = (environment: Environment, ...needed: SettingName[]): Environment =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => !isSetting(name) || needed.includes(name)),
  );

/** The names of a service, or of a setting of no service, that the environment sets. */
export function setOutside(environment: Environment, name: SettingName): SettingName[] {
  const service = services.find((one) => settingsOf(one).includes(name));
  return (service ? settingsOf(service) : [name]).filter((one) => isSet(environment, one));
}

/** A start is the demo unless it is production or its environment sets something of Stripe. */
export const isDemo = (environment: Environment): boolean =>
  withoutQuotes(environment["NODE_ENV"] ?? "") !== "production" &&
  !settingsOf("stripe").some((name) => isSet(environment, name));

/** All that the demo takes from its environment, a host only on loopback: nothing of a service or of a real shop's data. */
const ofDemo: ReadonlySet<SettingName> = new Set([
  "NODE_ENV",
  "PORT",
  "HOST",
  "DATA_DIR",
  "BRAND",
  "CURRENCY",
  "TIME_ZONE",
  "REFUND_DAILY_CAP",
  "LIMITS",
  "LOG_LEVEL",
  "IN_CONTAINER",
  "FAILPOINT",
  // which can only be "off"
  "MAIL",
  "DISCORD",
]);
const loopback = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/;

/** The settings of this environment that the demo, and a command for it, does not take. */
export const leftToRealShop = (environment: Environment): SettingName[] =>
  settingNames.filter(
    (name) =>
      isSet(environment, name) &&
      !(ofDemo.has(name) && (name !== "HOST" || loopback.test(withoutQuotes(environment[name] ?? "")))),
  );

/** What the demo runs with: it has its own data, and reads no settings file. */
export const demoSettings = (environment: Environment): SettingsHere =>
  withFile(
    {
      ...environment,
      ...Object.fromEntries(leftToRealShop(environment).map((name) => [name, ""])),
      DATA_DIR: demoFolder(environment),
    },
    {},
  );

const demoFolder = (environment: Environment) => join(dataDirOf(environment), "demo");

/** The settings of a command: the demo's if there is a demo and nothing of a real shop. */
export function commandSettings(environment: Environment): SettingsHere {
  const real = dataDirOf(environment);
  const hasShop =
    isSet(environment, "DATABASE_URL") ||
    existsSync(settingsFile(real)) ||
    existsSync(join(real, "shop.db")) ||
    !existsSync(join(demoFolder(environment), "shop.db"));
  return !hasShop && isDemo(environment) ? demoSettings(environment) : settingsHere(environment);
}

export const dataDirOf = ({ DATA_DIR: given }: Environment): string =>
  resolve(withoutQuotes(given ?? "") || settings.DATA_DIR.byDefault);

/** An empty setting counts as not set, and so does the path of a mailbox that a login shell sets. */
export const isSet = (environment: Environment, name: SettingName): boolean =>
  withoutQuotes(environment[name] ?? "") !== "" && !(name === "MAIL" && environment[name]?.startsWith("/"));
