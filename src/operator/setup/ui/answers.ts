import { readFileSync, statSync } from "node:fs";
import { ConfigError } from "@/core/settings/config";
import { linesIn, textIn } from "@/core/settings/settings-file";
import { answerOf, type Choice, complaint, type Question, type Ui } from "./ui";

export type Answers = Readonly<Record<string, string>>;

const othersMayRead = 0o077;

/** The text of a file of answers that only its owner can read; of standard input with `-`. */
export async function answersText(file: string): Promise<string> {
  if (file === "-") return textIn("What was given as answers", await Bun.stdin.bytes());
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new ConfigError(`There is no file ${file} with answers.`);
  if ((stats.mode & othersMayRead) !== 0) {
    throw new ConfigError(
      `The answers in ${file} can be read by others: run chmod 600 on it, and replace the secrets in it.`,
    );
  }
  return textIn(file, readFileSync(file));
}

/** Answers, a `NAME=value` a line; `file` is the name for what is wrong. */
export function readAnswers(text: string, file: string): Answers {
  const lines = linesIn(file === "-" ? "the answers" : file, text);
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
    async ask(question: Question) {
      const { name, proposal = "", optional } = question;
      // a line without a value leaves it empty
      if (optional !== undefined && (answers[name] ?? proposal).trim() === "") return "";
      const answer = answerOf(question, taken(question, proposal));
      const why = complaint(question, answer);
      if (why !== null) throw new ConfigError(`The answer ${name} can't be used. ${why}`);
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
    note: (text, toCopy) => print(toCopy === undefined ? text : `${text}\n${toCopy}`),
    reveal: () => Promise.reject(new Error("secrets are shown on a terminal only")),
  };
}
