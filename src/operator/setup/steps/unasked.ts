import { ConfigError } from "@/core/settings/config";
import { isSetting } from "@/core/settings/settings";
import { askedSettings, otherAnswers } from "../ui/answer-names";
import type { Answers } from "../ui/answers";
import { save, settingFault, type Setup } from "./state";

const asked = new Set<string>(askedSettings);
const others = new Set<string>(otherAnswers);

/** Settings in a file of answers that no step asks for are written as they are. */
export function saveUnasked(setup: Setup, answers: Answers): void {
  const unknown = Object.keys(answers).filter((name) => !isSetting(name) && !others.has(name));
  if (unknown.length > 0) {
    throw new ConfigError(`No step asks for ${unknown.join(", ")}: take that out, or spell it right.`);
  }
  const unasked = Object.keys(answers)
    .filter(isSetting)
    .filter((name) => !asked.has(name));
  for (const name of unasked) {
    const fault = settingFault(name, answers[name] ?? "");
    if (fault !== null) throw new ConfigError(`The answer ${name} can't be used. ${fault}`);
  }
  save(setup, Object.fromEntries(unasked.map((name) => [name, answers[name] ?? ""])));
}
