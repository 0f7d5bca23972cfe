import { z } from "zod";
import { type Setting, type SettingName, settingNames, settings } from "./settings";

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

/**
 * `docker run --env-file` keeps the quotes around a value that systemd, shells and Compose remove. No service issues
 * values that begin and end with the same quote.
 */
export const withoutQuotes = (value: string) => /^(['"])(.*)\1$/s.exec(value)?.[2] ?? value;

const environmentSchema = z.object(
  Object.fromEntries(settingNames.map((name) => [name, schemaOf(settings[name])])),
);

/** Prefixes of our settings' names that little else on a server uses. */
const ourPrefixes =
  /^(STRIPE|DISCORD|SMTP|MAIL|BACKUP|DATABASE|SECRET|BUILDS|METRICS|TRUSTED|PUBLIC|REFUND|AUDIT|OWNER|INVOICES?|SELLER|DATA)_/;

/** Names in an environment that look like settings and are not, probably mistyped. */
export const unknownSettings = (environment: Record<string, string | undefined>): string[] =>
  Object.keys(environment)
    .filter((name) => ourPrefixes.test(name) && !Object.hasOwn(settings, name))
    .toSorted();

/** Parses an environment, or says which setting is wrong and what it must be. */
export function readSettings(environment: Record<string, string | undefined>): Settings | WrongSetting {
  const parsed = environmentSchema.safeParse(environment);
  // schema and type come from the same table
  if (parsed.success) return parsed.data as Settings;
  const name = String(parsed.error.issues[0]?.path[0]) as SettingName;
  return { wrong: name, expected: settings[name].expected };
}
export type WrongSetting = { wrong: SettingName; expected: string };
