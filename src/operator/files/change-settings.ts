import { configOf, ConfigError } from "@/core/settings/config";
import { MissingSetting } from "@/core/settings/config-error";
import { isSetting, type Setting, type SettingName, settings } from "@/core/settings/settings";
import {
  formerSettingsFile,
  readSettingsFile,
  settingsFile,
  writeSettingsFile,
} from "@/core/settings/settings-file";
import {
  dataDirOf,
  type Environment,
  setOutside,
  settingsHere,
  withFile,
} from "@/core/settings/settings-here";
import { askedValues } from "../terminal/asked-values";

type Values = Record<string, string>;

/** The values of what is typed as `NAME=value` or `NAME`. A secret in an argument would stay in the shell's history. */
export async function valuesOf(typed: string[]): Promise<Values> {
  const given = typed.map((one) => {
    const [, name = one, value] = /^([^=]*)=(.*)$/s.exec(one) ?? [];
    if (!isSetting(name)) throw new ConfigError(`There is no setting ${name}: \`shop settings\` lists them.`);
    if (value !== undefined && isSecret(name)) {
      throw new ConfigError(
        `The setting ${name} can be secret, and would stay in the shell's history: leave its value out, and type it when asked.`,
      );
    }
    return { name, value };
  });
  const toAsk = given.filter(({ value }) => value === undefined).map(({ name }) => name);
  const asked = await askedValues(toAsk.map((name) => ({ name, hidden: isSecret(name) })));
  return Object.fromEntries(
    given.map(({ name, value = asked[name] ?? "" }) => {
      if (value !== "") return [name, value];
      throw new ConfigError(
        `The setting ${name} got no value: \`shop settings unset ${name}\` takes it out.`,
      );
    }),
  );
}

/**
 * Changes `settings.env` if the shop could start with the result, or at least no worse than before, and says so. Refuses
 * what the environment sets ({@link ConfigError}).
 */
export function changeSettings(environment: Environment, change: (file: Values) => Values): string {
  const dataDir = dataDirOf(environment);
  const before = readSettingsFile(dataDir);
  const after = change(before);
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => before[name] !== after[name],
  );
  if (changed.length === 0) return `${settingsFile(dataDir)} says so already.`;
  for (const name of Object.keys(after)) {
    if (changed.includes(name) && isSetting(name)) expectOurs(environment, name);
  }
  const fault = startFault(environment, after);
  if (fault && !(fault instanceof MissingSetting && startFault(environment, before))) {
    throw new ConfigError(`Nothing was changed. ${fault.message}`);
  }
  writeSettingsFile(dataDir, after);
  const next = fault ? `The shop can't start yet: ${fault.message}` : "The shop reads it at its next start.";
  const kept = changed.some((name) => before[name] !== undefined)
    ? ` What stood there stays in ${formerSettingsFile(dataDir)} until a start succeeds.`
    : "";
  return `Changed in ${settingsFile(dataDir)}: ${changed.join(", ")}. ${next}${kept}`;
}

function expectOurs(environment: Environment, name: SettingName): void {
  const outside = setOutside(environment, name);
  if (outside.length === 0) return;
  throw new ConfigError(
    `The environment sets ${outside.join(", ")}, above settings.env: take that out of the environment to set ${name} here, or set ${name} there.`,
  );
}

/** Why a shop could not start with these settings, by default with those of its file; null if it could. */
export function startFault(environment: Environment, file?: Values): ConfigError | null {
  const production = { ...environment, NODE_ENV: "production" };
  try {
    configOf(file ? withFile(production, file) : settingsHere(production));
    return null;
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

/** An address may have a login in it. */
const isSecret = (name: SettingName) => (settings[name] as Setting).shown !== true;
