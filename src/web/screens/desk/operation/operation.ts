import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** What was typed into an operation's fields, by their names. */
export type Typed = Readonly<Record<string, string>>;

/** A field of an operation beside its reason. What is checked is typed `on`. */
export type OperationField = {
  name: string;
  label: string;
  type?: "text" | "email" | "number" | "date" | "datetime-local" | "textarea" | "check";
  hint?: string;
  initial?: string;
  optional?: true;
  choices?: Readonly<Record<string, string>>;
  /** What is wrong with what was typed, before the shop is asked. */
  check?: (text: string, typed: Typed) => string | undefined;
};

/**
 * Something that staff do to a thing, as a button, a dialog and a command of the palette. Make one only for a role that
 * may do it (`rights.ts`): what a role may not do is not shown. The dialog says the consequence, asks for the fields and
 * a reason, shows why the shop refused, and asks for a code by itself.
 */
export type Operation<Answer = unknown> = {
  name: string;
  icon: LucideIcon;
  /** What it does, as a whole sentence, from what was typed so far. */
  consequence(typed: Typed): ReactNode;
  fields?: readonly OperationField[];
  /** What people will see of what was typed so far. */
  preview?(typed: Typed): ReactNode;
  /** Notes and messages have no reason. */
  withoutReason?: true;
  /** Takes something away. */
  grave?: true;
  run(typed: Typed, reason: string): Promise<Answer>;
  /** What is told once it is done. */
  done(answer: Answer): string;
  /** Stays in the dialog once it is done, such as a key to copy. */
  result?(answer: Answer): ReactNode;
};
