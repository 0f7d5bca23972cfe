import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { withoutQuotes } from "./read-settings";
import { type Service, services, type SettingName, settingNames, settings, settingsOf } from "./settings";
import { settingLines, settingsFile } from "./settings-file";

type Environment = Record<string, string | undefined>;
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

/** This process's own, which is read nowhere else. */
export const environmentHere = (): Environment => process.env;

/**
 * The settings of an environment and, below it, of `settings.env` in its data folder. A service's settings come whole
 * from one place: the file's are not read if the environment sets one of them.
 */
export function settingsHere(environment: Environment): SettingsHere {
  const dataDir = dataDirOf(environment);
  const lines = settingLines(dataDir);
  const file = Object.fromEntries([...lines].map(([name, { value }]) => [name, value]));
  const unknown = [...lines].filter(([name]) => !Object.hasOwn(settings, name));
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

/** The names of a service, or of a setting of no service, that the environment sets. */
export function setOutside(environment: Environment, name: SettingName): SettingName[] {
  const service = services.find((one) => settingsOf(one).includes(name));
  return (service ? settingsOf(service) : [name]).filter((one) => isSet(environment, one));
}

/** A start is the demo unless it is production or its environment sets something of Stripe. */
export const isDemo = (environment: Environment): boolean =>
  withoutQuotes(environment["NODE_ENV"] ?? "") !== "production" &&
  !settingsOf("stripe").some((name) => isSet(environment, name));

/** Where a real shop keeps its data, the demo's being apart in its own folder. */
const ofRealShop = [
  ...settingsOf("database"),
  ...settingsOf("secrets"),
  "BUILDS_URL",
  "BACKUP_TO",
  "BACKUP_EVERY",
] as const satisfies SettingName[];

/** What a command for the demo must not take from this environment. */
export const leftToRealShop = (environment: Environment): SettingName[] =>
  ofRealShop.filter((name) => isSet(environment, name));

/** The environment in which the demo runs: it has its own data, and reads no settings file. */
export const demoEnvironment = (environment: Environment): Environment => ({
  ...environment,
  ...Object.fromEntries(ofRealShop.map((name) => [name, ""])),
  DATA_DIR: join(dataDirOf(environment), "demo"),
});

/** The environment of a command: the demo's if there is a demo and nothing of a real shop. */
export function commandEnvironment(environment: Environment): Environment {
  const real = dataDirOf(environment);
  const demo = demoEnvironment(environment);
  const hasShop =
    isSet(environment, "DATABASE_URL") ||
    existsSync(settingsFile(real)) ||
    existsSync(join(real, "shop.db")) ||
    !existsSync(join(dataDirOf(demo), "shop.db"));
  return !hasShop && isDemo(environment) ? demo : environment;
}

export const dataDirOf = ({ DATA_DIR: given }: Environment): string =>
  resolve(withoutQuotes(given ?? "") || settings.DATA_DIR.byDefault);

/** An empty setting counts as not set, and so does the path of a mailbox that a login shell sets. */
export const isSet = (environment: Environment, name: SettingName): boolean =>
  withoutQuotes(environment[name] ?? "") !== "" && !(name === "MAIL" && environment[name]?.startsWith("/"));
