import { Command } from "commander";
import { defaultInWords } from "@/core/settings/given-settings";
import { type SettingName, settingNames, settings } from "@/core/settings/settings";
import { print, withJson } from "../terminal/command-line";

/** `shop settings` */
export const settingsVerb = (): Command =>
  withJson(new Command("settings"), "settings")
    .description("every setting that the shop reads from its environment, with its default")
    .action(({ json }: { json?: boolean }) => print(json, settingDescriptions, settingsTable()));

/** What each setting means, and what applies if it is not set, for the operator. */
const settingDescriptions = Object.fromEntries(
  settingNames.map((name) => [name, { otherwise: defaultInWords(name), meaning: settings[name].meaning }]),
) as Record<SettingName, { otherwise: string; meaning: string }>;

/** The table of every setting, in Markdown, as `docs/settings.md` has it. */
export function settingsTable(): string {
  const rows = settingNames.map((name) => {
    const { otherwise, meaning } = settingDescriptions[name];
    return [`\`${name}\``, otherwise, meaning] as const;
  });
  const all = [["setting", "otherwise", ""] as const, ...rows];
  const [first = 0, second = 0, third = 0] = [0, 1, 2].map((at) =>
    Math.max(...all.map((row) => row[at]?.length ?? 0)),
  );
  const line = ([name, otherwise, meaning]: readonly string[]) =>
    `| ${name?.padEnd(first)} | ${otherwise?.padEnd(second)} | ${meaning?.padEnd(third)} |`;
  const rule = `| ${"-".repeat(first)} | ${"-".repeat(second)} | ${"-".repeat(third)} |`;
  return [line(all[0] ?? []), rule, ...rows.map(line)].join("\n");
}
