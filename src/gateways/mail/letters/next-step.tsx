import type { KeyStep, NextStep } from "@/domain/mail/letter";
import { Button } from "./parts";

const sentences = {
  "sign-in": "You have an account with us: sign in and add it there.",
  spare: "Your account already has a lifetime license, so this key is yours to give away.",
  added: "It is on your account already.",
  used: "It is in use on an account already.",
} as const satisfies Record<Exclude<KeyStep, "register">, string>;

/** What to do with one key; `register` is the letter's own sentence for somebody without an account. */
export const stepSentence = ({ step }: NextStep, register: string): string =>
  step === "register" ? register : sentences[step];

const buttons: Record<KeyStep, string | null> = {
  register: "Register",
  "sign-in": "Sign in and add it",
  spare: null,
  added: "See your license",
  used: null,
};

export function StepButton({ next: { step, stepUrl } }: { next: NextStep }) {
  const label = buttons[step];
  return label && <Button href={stepUrl}>{label}</Button>;
}

/** The button as a line of text, if there is one. */
export const stepLines = ({ step, stepUrl }: NextStep): string[] =>
  buttons[step] ? [`${buttons[step]}: ${stepUrl}`] : [];
