import { utcTime } from "@/contract/vocabulary/dates";
import { type Block, button } from "../../mail/blocks";
import type { KeyStep } from "./key-step";

/**
 * What to do next, and the page to do it on: /register or /dashboard/license. `runsUntil`, if the key is on
 * the reader's account: the end of what the account has now, null for a lifetime.
 */
export type NextStep = { step: KeyStep; stepUrl: string; runsUntil?: Date | null };

const sentences = {
  "sign-in": "You have an account with us: sign in and add it there.",
  spare: "Your account already has a lifetime license, so this key is yours to give away.",
  wait: "Your subscription is still running, so keep this key, and add it once that has ended.",
  added: "It is on your account already.",
  used: "It is in use on an account already.",
} as const satisfies Record<Exclude<KeyStep, "register">, string>;

/** What to do with one key; `register` is the email's own sentence for a reader without an account. */
export const stepSentence = ({ step }: NextStep, register: string): string =>
  step === "register" ? register : sentences[step];

/** Until when a customer's account runs, with a space before it; empty for everybody else. */
export function runsUntilSentence({ runsUntil }: NextStep): string {
  if (runsUntil === undefined) return "";
  return runsUntil ? ` Your license now runs until ${utcTime(runsUntil)}.` : " Your license never ends.";
}

const labels: Record<KeyStep, string | null> = {
  register: "Register",
  "sign-in": "Sign in and add it",
  spare: null,
  wait: null,
  added: "See your license",
  used: null,
};

/** The button of the step, if it has one. */
export function stepButton({ step, stepUrl }: NextStep): Block[] {
  const label = labels[step];
  return label === null ? [] : [button(label, stepUrl)];
}
