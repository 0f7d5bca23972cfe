import { z } from "zod";
import { withoutQuotes } from "@/contract/vocabulary/plain-words";
import type { Environment } from "./environment";
import { foreignCharacters } from "./setting-kinds";
import { isSetting, type Setting, type SettingName, settingNames, settings } from "./settings";

type Table = typeof settings;

/** A parsed environment; undefined means not set and no default. */
export type Settings = {
  [N in SettingName]:
    z.output<Table[N]["schema"]> | (Table[N] extends { byDefault: unknown } ? never : undefined);
};

/** An empty setting counts as not set. */
function schemaOf(setting: Setting): z.ZodType {
  const byDefault = "byDefault" in setting ? setting.byDefault : undefined;
  const filled = (given: unknown) => {
    const value = typeof given === "string" ? withoutQuotes(given) : given;
    return value === undefined || value === "" ? byDefault : value;
  };
  return z.preprocess(filled, byDefault === undefined ? setting.schema.optional() : setting.schema);
}

const environmentSchema = z.object(
  Object.fromEntries(settingNames.map((name) => [name, schemaOf(settings[name])])),
);

/** Prefixes of our settings' names that little else on a server uses. */
const ourPrefixes =
  /^(STRIPE|DISCORD|SMTP|MAIL|BACKUP|DATABASE|SECRET|BUILDS|METRICS|TRUSTED|PUBLIC|REFUND|AUDIT|OWNER|INVOICES?|SELLER|DATA)_/;

/** Names in an environment that look like settings and are not, probably mistyped. */
export const unknownSettings = (environment: Environment): string[] =>
  Object.keys(environment)
    .filter((name) => (ourPrefixes.test(name) || isMisspelt(name)) && !isSetting(name))
    .toSorted();

/** Shorter names are other programs' too, and so are all that begin with `AWS_`. */
const leastLength = 8;
const mostMisspelt = 2;

const isMisspelt = (name: string): boolean =>
  name.length >= leastLength &&
  !name.startsWith("AWS_") &&
  settingNames.some((known) => known.length >= leastLength && lettersBetween(name, known) <= mostMisspelt);

/** By how many inserted, left out or other letters two names differ. */
function lettersBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > mostMisspelt) return Infinity;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [at, wanted] of [...other].entries()) {
      const replaced = (row[at] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? Infinity;
}

/** Parses an environment, or says which setting is wrong, and why. */
export function readSettings(environment: Environment): Settings | WrongSetting {
  const parsed = environmentSchema.safeParse(environment);
  // schema and type come from the same table
  if (parsed.success) return parsed.data as Settings;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0]) as SettingName;
  const isForeign = issue?.message === foreignCharacters;
  return { wrong: name, fault: isForeign ? foreignCharacters : `must be ${settings[name].expected}` };
}
/** `fault`: the end of "The setting …". */
export type WrongSetting = { wrong: SettingName; fault: string };
