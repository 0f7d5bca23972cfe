import { Command } from "commander";
import { settingDescriptions, settingsTable } from "@/core/settings";
import { example, say, withJson } from "./command-line";

/** `shop settings` */
export const settingsVerb = (): Command =>
  withJson(new Command("settings"))
    .description("every setting that the shop reads from its environment, with its default")
    .addHelpText("after", example("settings"))
    .action(({ json }: { json?: boolean }) => say(json, settingDescriptions, settingsTable()));
