import { ConfigError } from "@/core/settings/config";
import { neededBy, type SettingName, settings, settingsOf } from "@/core/settings/settings";
import type { Answers } from "../ui/answers";
import { save, settingFault, type Setup } from "./state";

/** The settings that a step asks for. */
const asked: readonly string[] = [
  "PUBLIC_URL",
  "OWNER_EMAIL",
  "CURRENCY",
  "SELLER",
  "TIME_ZONE",
  "BACKUP_TO",
  "BACKUP_EVERY",
  ...neededBy("stripe"),
  ...neededBy("mail"),
  ...neededBy("discord"),
  ...settingsOf("buckets"),
];

/** What is answered and is no setting. */
const otherAnswers =
  /^(OWNER_NAME|PRODUCT|SHORT_NAME|KEY_PREFIX|PRICE|OTHER_ADDRESS|SMTP_LOGIN|SMTP_PASSWORD|TAKE_KEY|GO_LIVE|BEGIN_ANOTHER|REPLACE_ENDPOINT|ROLE_MEMBERS|START)$/;

const isSetting = (name: string): name is SettingName => Object.hasOwn(settings, name);

/** Settings in a file of answers that no step asks for are written as they are. */
export function saveUnasked(setup: Setup, answers: Answers): void {
  const unknown = Object.keys(answers).filter((name) => !isSetting(name) && !otherAnswers.test(name));
  if (unknown.length > 0) {
    throw new ConfigError(`No step asks for ${unknown.join(", ")}: take that out, or spell it right.`);
  }
  const unasked = Object.keys(answers)
    .filter(isSetting)
    .filter((name) => !asked.includes(name));
  for (const name of unasked) {
    const fault = settingFault(name, answers[name] ?? "");
    if (fault !== null) throw new ConfigError(`The answer ${name} can't be used. ${fault}`);
  }
  save(setup, Object.fromEntries(unasked.map((name) => [name, answers[name] ?? ""])));
}
