import type { Tried as Trial } from "../tried";
import type { AnswerName } from "./answer-names";

/** What every question has. */
type Asked = {
  /** The name of its answer in a file of answers: a setting's name where there is one. */
  name: AnswerName;
  asks: string;
};

export type Question = Asked & {
  /** What Enter takes. */
  proposal?: string | undefined;
  /** Typed unseen, and never shown, proposals included. */
  secret?: boolean;
  /** Set if an empty answer is allowed: what that means, such as `for none`. */
  optional?: string;
  /** Why this can't be the answer, as a sentence; null if it can. */
  fault?: (typed: string) => string | null;
};

export type Choice<T extends string> = Asked & {
  options: readonly { value: T; label: string }[];
  proposal?: T | undefined;
};

/** Asks and tells: at a terminal, or from a file of answers. */
export type Ui = {
  /** Whether a person sees what is printed, and nobody else. */
  isTerminal: boolean;
  ask(question: Question): Promise<string>;
  choose<T extends string>(choice: Choice<T>): Promise<T>;
  confirm(question: Asked & { proposal: boolean }): Promise<boolean>;
  /** Waits until a person has done something elsewhere; false where nobody can be waited for. */
  wait(until: string): Promise<boolean>;
  /** What was given is wrong: a terminal shows why and the step asks again, a file of answers ends the run. */
  refuse(why: string): void;
  /** Shows that something takes a while. */
  work<T>(what: string, act: () => Promise<T>): Promise<T>;
  step(title: string): void;
  proved(sentence: string): void;
  untested(sentence: string): void;
  /** Words, and below them, as they are, what is to be copied. */
  note(text: string, toCopy?: string): void;
  /** Shows secrets until `act` is done, then takes them off the screen. */
  reveal(lines: string[], act: () => Promise<void>): Promise<void>;
};

/** Typed to leave empty what Enter would fill. */
const nothing = "-";

/** A question in words, with how it is left empty. */
export function wordsOf({ asks, proposal, optional }: Question): string {
  return optional === undefined ? asks : `${asks}; ${proposal ? nothing : "empty"} ${optional}`;
}

/** The answer that was typed; Enter takes the proposal. */
export function answerOf({ proposal = "", optional }: Question, typed = ""): string {
  const text = typed.trim();
  return optional !== undefined && text === nothing ? "" : text || proposal;
}

/** Why an answer can't be taken, as a sentence; null if it can. */
export function complaint({ optional, fault }: Question, answer: string): string | null {
  if (answer === "") return optional === undefined ? "Type an answer." : null;
  return fault?.(answer) ?? null;
}

/** The person left; what was written stays. */
export class Left extends Error {
  override name = "Left";
}

/** What was tried: proved, wrong, or untested because whoever could tell is away. */
export type Tried<T> =
  { is: "proved" | "untested"; sentence: string; value: T } | { is: "wrong"; sentence: string };

export const proved = <T>(sentence: string, value: T): Tried<T> => ({ is: "proved", sentence, value });
export const unproved = <T>(sentence: string, value: T): Tried<T> => ({ is: "untested", sentence, value });
export const wrong = (sentence: string): Tried<never> => ({ is: "wrong", sentence });

/** What a trial of a service says of what was given, and what it proves if it went well. */
export function outcomeOf<T>(trial: Trial, value: T, proves: string): Tried<T> {
  if (trial.kind === "ok") return proved(proves, value);
  return trial.kind === "refused" ? wrong(trial.reason) : unproved(trial.reason, value);
}

/** Asks until what was given isn't wrong, and says what it proved. */
export async function untilRight<T>(ui: Ui, askAndTry: () => Promise<Tried<T>>): Promise<T> {
  for (;;) {
    const tried = await askAndTry();
    if (tried.is === "wrong") ui.refuse(tried.sentence);
    else {
      if (tried.is === "proved") ui.proved(tried.sentence);
      else ui.untested(tried.sentence);
      return tried.value;
    }
  }
}
