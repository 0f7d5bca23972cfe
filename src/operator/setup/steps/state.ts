import { settingsFile, writeSettingsFile } from "@/core/settings/settings-file";
import { type Environment, setOutside, settingsHere, withFile } from "@/core/settings/settings-here";
import { type Config, configOf, noWebhookSecret } from "@/core/settings/config";
import { readSettings } from "@/core/settings/read-settings";
import { neededBy, type SettingName } from "@/core/settings/settings";
import type { AskedSetting } from "../ui/answer-names";
import type { Question, Ui } from "../ui/ui";

/** What all steps share. */
export type Setup = {
  ui: Ui;
  environment: Environment;
  dataDir: string;
  /** What `settings.env` holds. */
  file: Readonly<Record<string, string>>;
  /** Where keys and the owner's link go if there is no terminal: a file, or one that root opened. */
  keep: string | number | null;
  /** Whether this run has made that file. */
  keeps: boolean;
};

/** The present value of a setting, from wherever a start would read it; empty if it isn't set. */
export function given({ environment, file }: Setup, name: SettingName): string {
  const value = withFile(environment, { ...file }).values[name];
  return name === "MAIL" && value?.startsWith("/") ? "" : (value ?? "");
}

/** Whether everything that a service needs is set. */
export const hasAll = (setup: Setup, service: "stripe" | "mail" | "discord"): boolean =>
  neededBy(service).every((name) => given(setup, name) !== "");

/** Whether the environment sets it, above the file. */
export const isOutside = ({ environment }: Setup, name: SettingName): boolean =>
  setOutside(environment, name).length > 0;

/** Writes settings, and takes those out that are empty; what the environment sets stays there alone. */
export function save(setup: Setup, values: Partial<Record<SettingName, string>>): void {
  const own = Object.entries(values).filter(([name]) => !isOutside(setup, name as SettingName));
  const changed = { ...setup.file, ...Object.fromEntries(own) };
  const kept = Object.entries(changed).filter(([, value]) => value !== "");
  setup.file = Object.fromEntries(kept);
  writeSettingsFile(setup.dataDir, setup.file);
}

/** Why a step can't write: the environment sets its settings. Null if it doesn't. */
export function setElsewhere({ environment, dataDir }: Setup, names: readonly SettingName[]): string | null {
  const found = [...new Set(names.flatMap((name) => setOutside(environment, name)))];
  if (found.length === 0) return null;
  return `The environment sets ${found.join(", ")}, so nothing here is read from ${settingsFile(dataDir)}: remove ${found.length === 1 ? "it" : "them"} from the environment to set this up here.`;
}

/** Why a value can't be this setting, as a sentence; null if it can. */
export function settingFault(name: SettingName, value: string): string | null {
  const read = readSettings({ [name]: value });
  return "wrong" in read && read.wrong === name ? `It ${read.fault}.` : null;
}

/** Asks for a setting, and by default proposes its present value. */
export const askFor = (setup: Setup, name: AskedSetting, question: Omit<Question, "name">): Promise<string> =>
  setup.ui.ask({
    name,
    proposal: given(setup, name),
    fault: (typed) => settingFault(name, typed),
    ...question,
  });

/** What a production start would read, with stand-ins for services that aren't set up yet, so that the database opens. */
export function configSoFar(setup: Setup): Config {
  const here = settingsHere(setup.environment);
  const has = (...names: SettingName[]) => names.every((name) => here.values[name] !== undefined);
  return configOf({
    ...here,
    values: {
      PUBLIC_URL: "http://localhost",
      STRIPE_SECRET_KEY: "sk_test_none",
      STRIPE_PUBLISHABLE_KEY: "pk_test_none",
      STRIPE_WEBHOOK_SECRET: noWebhookSecret,
      ...here.values,
      NODE_ENV: "production",
      ...(has("SMTP_URL", "MAIL_FROM") ? {} : { MAIL: "off" }),
      ...(has("DISCORD_STAFF_CHANNEL_ID") ? {} : { DISCORD: "off" }),
    },
  });
}
