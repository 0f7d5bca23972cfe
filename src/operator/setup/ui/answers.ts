import { readFileSync, statSync } from "node:fs";
import { ConfigError } from "@/core/settings/config";
import { linesIn } from "@/core/settings/settings-file";
import type { Choice, Question, Ui } from "./ui";

export type Answers = Readonly<Record<string, string>>;

const othersMayRead = 0o077;

/** The answers of a file that only its owner can read, a `NAME=value` a line. */
export function readAnswers(file: string): Answers {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new ConfigError(`There is no file ${file} with answers.`);
  if ((stats.mode & othersMayRead) !== 0) {
    throw new ConfigError(
      `The answers in ${file} can be read by others: run chmod 600 on it, and replace the secrets in it.`,
    );
  }
  const lines = linesIn(file, readFileSync(file, "utf8"));
  return Object.fromEntries([...lines].map(({ name, value }) => [name, value]));
}

/** Takes answers from a file, and proposals where it has none. */
export function answersUi(answers: Answers, print: (line: string) => void): Ui {
  const taken = ({ name, asks }: { name: string; asks: string }, proposal: string | undefined): string => {
    const answer = (answers[name] ?? "").trim() || proposal;
    if (answer) return answer;
    throw new ConfigError(`The answers lack ${name}: ${asks}`);
  };
  return {
    isTerminal: false,
    async ask({ proposal, optional, fault, ...question }: Question) {
      if (optional && !answers[question.name] && !proposal) return "";
      const answer = taken(question, proposal);
      const why = fault?.(answer) ?? null;
      if (why !== null) throw new ConfigError(`The answer ${question.name} can't be used. ${why}`);
      return answer;
    },
    async choose<T extends string>({ options, proposal, ...question }: Choice<T>) {
      const answer = taken(question, proposal);
      const chosen = options.find(({ value }) => value === answer);
      if (chosen) return chosen.value;
      const known = options.map(({ value, label }) => (value === label ? value : `${value} (${label})`));
      throw new ConfigError(`The answer ${question.name} must be one of ${known.join(", ")}.`);
    },
    async confirm({ proposal, ...question }) {
      const answer = taken(question, proposal ? "yes" : "no");
      if (answer === "yes" || answer === "no") return answer === "yes";
      throw new ConfigError(`The answer ${question.name} must be yes or no.`);
    },
    wait: async () => false,
    refuse(why) {
      throw new ConfigError(why);
    },
    work: async (_, act) => act(),
    step: (title) => print(`\n${title}`),
    proved: (sentence) => print(`  ${sentence}`),
    untested: (sentence) => print(`  Untested: ${sentence}`),
    note: (text) => print(text),
    reveal: () => Promise.reject(new Error("secrets are shown on a terminal only")),
  };
}
