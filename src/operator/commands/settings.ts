import { Command } from "commander";
import { defaultInWords, givenSettings } from "@/core/settings/given-settings";
import { type SettingName, settingNames, settings } from "@/core/settings/settings";
import { exportSettings } from "@/core/settings/settings-file";
import {
  commandSettings,
  dataDirOf,
  environmentHere,
  isSet,
  type SettingsHere,
} from "@/core/settings/settings-here";
import { changeSettings, valuesOf } from "../files/change-settings";
import { print, withJson } from "../terminal/command-line";

/** `shop settings …` */
export function settingsCommand(): Command {
  const noun = new Command("settings").description("what the shop is set to, and its settings.env");
  withJson(noun.command("list", { isDefault: true }), "settings list")
    .description("every setting, what it is set to, from where that comes, and its default")
    .action(({ json }: Options) => {
      const here = commandSettings(environmentHere());
      const from = originsOf(here);
      const given = givenSettings(here.values).map(({ name, isSet, secret, value }) => ({
        name,
        value: secret && isSet ? "(secret)" : (value ?? ""),
        from: from[name],
      }));
      const all = given.map(({ name, ...one }) => [name, { ...settingDescriptions[name], ...one }]);
      print(json, Object.fromEntries(all), settingsTable(given));
    });
  withJson(noun.command("set <setting...>"), "settings set CURRENCY=eur", "settings set STRIPE_SECRET_KEY")
    .description(
      "write settings to settings.env: NAME=value, or NAME, whose value is then asked for or read from standard input, a line each",
    )
    .action(async (typed: string[], { json }: Options) => {
      const given = await valuesOf(typed);
      print(
        json,
        { set: Object.keys(given) },
        changeSettings(environmentHere(), (file) => ({ ...file, ...given })),
      );
    });
  withJson(noun.command("unset <name...>"), "settings unset BACKUP_EVERY")
    .description("take settings out of settings.env")
    .action((names: string[], { json }: Options) => {
      const without = (file: Record<string, string>) =>
        Object.fromEntries(Object.entries(file).filter(([name]) => !names.includes(name)));
      print(json, { unset: names }, changeSettings(environmentHere(), without));
    });
  withJson(noun.command("export <file>"), "settings export /mnt/stick/settings.env")
    .description("copy settings.env, with its secrets, to a new file, for another machine of this shop")
    .action((file: string, { json }: Options) => {
      exportSettings(dataDirOf(environmentHere()), file);
      print(json, { file }, `${file} holds the secrets of this shop: only you can read it.`);
    });
  return noun;
}

type Options = { json?: boolean };

type Origins = Record<SettingName, "environment" | "settings.env" | "default">;

const originsOf = ({ environment, fromFile }: SettingsHere): Origins =>
  Object.fromEntries(
    settingNames.map((name) => {
      const isFromFile = fromFile.includes(name);
      return [name, isFromFile ? "settings.env" : isSet(environment, name) ? "environment" : "default"];
    }),
  ) as Origins;

/** What each setting means, and what applies if it is not set, for the operator. */
const settingDescriptions = Object.fromEntries(
  settingNames.map((name) => [name, { otherwise: defaultInWords(name), meaning: settings[name].meaning }]),
) as Record<SettingName, { otherwise: string; meaning: string }>;

/** The table of every setting, in Markdown, as `docs/settings.md` has it without what each is set to here. */
export function settingsTable(given?: readonly { value: string; from: string }[]): string {
  const rows = settingNames.map((name, at) => {
    const { otherwise, meaning } = settingDescriptions[name];
    const { value = "", from = "" } = given?.[at] ?? {};
    return [`\`${name}\``, ...(given ? [value, from] : []), otherwise, meaning];
  });
  const all = [["setting", ...(given ? ["value", "from"] : []), "otherwise", ""], ...rows];
  const widths = (all[0] ?? []).map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  const line = (row: string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const rule = widths.map((width) => "-".repeat(width));
  return [all[0] ?? [], rule, ...rows].map(line).join("\n");
}
