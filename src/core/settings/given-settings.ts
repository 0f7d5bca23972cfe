import { withoutQuotes } from "@/contract/vocabulary/plain-words";
import type { Environment } from "./environment";
import { type Setting, type SettingName, settingNames, settings } from "./settings";

/** A setting as staff see it: never the value of a secret. */
export type GivenSetting = { name: SettingName; isSet: boolean; secret: boolean; value: string | null };

/** What an environment sets, with secrets left out. A setting is a secret unless its row says otherwise. */
export const givenSettings = (environment: Environment): GivenSetting[] =>
  settingNames.map((name) => {
    const given = withoutQuotes(environment[name] ?? "");
    const { shown }: Setting = settings[name];
    const isSet = given !== "";
    return {
      name,
      isSet,
      secret: shown === undefined,
      value: isSet && shown ? shownValue(given, shown) : null,
    };
  });

const shownValue = (given: string, shown: true | "address") =>
  shown === "address" ? withoutLogin(given) : given;

/** An address without its login and what follows its path, where a token may be. */
function withoutLogin(address: string): string {
  if (!URL.canParse(address)) return "";
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

/** What applies where a setting is not set, in words. */
export function defaultInWords(name: SettingName): string {
  const setting: Setting = settings[name];
  if ("byDefault" in setting) return String(setting.byDefault);
  return "service" in setting ? "none: it must be set" : setting.otherwise;
}
