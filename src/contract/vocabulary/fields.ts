import { canonicalAddress, wireAddress } from "./addresses";
import { maxIdLength, maxPrice, maxSearchLength, reasonLength } from "./bounds";
import { minorUnits } from "./money";
import { oneLine } from "./plain-words";
import { shownText } from "./typed-text";

/**
 * What a staff operation takes, said once: from a field follow the input of the desk's form and the sentence beneath it
 * (`label`, `hint`), the command line's option (`about`), and the schema and description on the wire
 * (`contract/wire/fields.ts`).
 */
type Common = {
  label: string;
  /** Beneath the input. */
  hint?: string;
  /** In the API's description and in the command's help. */
  about?: string;
  optional?: true;
  /** Whether `null` says something else than leaving the field out. */
  nullable?: true;
  /** What leaving it out means. */
  otherwise?: unknown;
};

type Of<Kind extends string, More = unknown> = Common & { kind: Kind } & More;

export type Field =
  | Of<"whole", { least: number; most: number }>
  /** Minor units; people type the amount in the currency's own. */
  | Of<"amount">
  /** One line of `least` to `most` characters. */
  | Of<"line", { least: number; most: number }>
  /** Several lines; `empty` if nothing may be typed. */
  | Of<"text", { most: number; empty: boolean }>
  | Of<"email">
  /** An id of ours or of a vendor's, as it is. */
  | Of<"id", { most: number }>
  /** A word that has to look like `pattern`; `mistake` completes "must be …". */
  | Of<"word", { pattern: RegExp; mistake: string; read: (typed: string) => string }>
  /** Several such words, each once; people type them with commas or spaces between. */
  | Of<"words", { pattern: RegExp; mistake: string; most: number }>
  | Of<"choice", { choices: Readonly<Record<string, string>> }>
  | Of<"flag">
  /** ISO 8601. */
  | Of<"instant">
  /** A schema of `contract/wire/desk/schemas.ts` by its name, for what no form can be drawn of. */
  | Of<"schema", { schema: string }>;

type With<Kind extends Field["kind"]> = Omit<Extract<Field, { kind: Kind }>, "kind">;

const of =
  <Kind extends Field["kind"], const Defaults extends object>(kind: Kind, defaults: Defaults) =>
  <
    const F extends Omit<With<Kind>, keyof Defaults> &
      Partial<Pick<With<Kind>, keyof Defaults & keyof With<Kind>>>,
  >(
    field: F,
  ) =>
    ({ kind, ...defaults, ...field }) as { kind: Kind } & Omit<Defaults, keyof F> & F;

export const wholeNumber = of("whole", { least: 1 });
export const amount = of("amount", {});
export const line = of("line", { least: 1 });
export const text = of("text", { empty: false });
export const emailAddress = of("email", {});
export const idOf = of("id", { most: maxIdLength });
export const word = of("word", { read: (typed: string): string => typed });
export const words = of("words", {});
export const choice = of("choice", {});
/** Said or not said. */
export const flag = of("flag", { optional: true });
export const instant = of("instant", {});
export const schemaNamed = of("schema", {});

/** An id that people choose once, and that links, orders and the application name. */
export const slug = {
  label: "Id",
  pattern: /^[a-z0-9][a-z0-9-]{0,31}$/,
  mistake: "1 to 32 lowercase letters, digits and dashes",
} as const;

const ofReason = `${reasonLength.least} to ${reasonLength.most} characters`;
/** Why staff do something. */
export const reasonField = line({
  label: "Reason",
  hint: `Saved in the audit log. ${ofReason}.`,
  about: `Why, for the audit log; ${ofReason}`,
  ...reasonLength,
});

/** Choices whose words are their names. */
export const choicesOf = <const Names extends readonly string[]>(names: Names) =>
  Object.fromEntries(names.map((name) => [name, name])) as Readonly<Record<Names[number], string>>;

/** Whether a line has as many characters as it may, counted as people count them, and one that is seen unless it may be empty. */
export function isLine({ least, most }: { least: number; most: number }, value: string): boolean {
  const { length } = [...value];
  return length >= least && length <= most && (least === 0 || shownText(value) !== "");
}

/** Whether text is an address as people type them: one mailbox, whose domain has two names, the last of two letters or more. */
export function isEmailAddress(typed: string): boolean {
  const address = canonicalAddress(typed);
  return typed.length <= maxSearchLength && address !== null && /\.[^.]{2,}$/.test(wireAddress(address));
}

/** What is typed for a {@link Field}: its value, or what is wrong with it, which completes "Enter …" and "It must be …". */
export type ReadResult = { value: unknown } | { mistake: string };

/** Reads what a person typed into a form or behind an option of the command line. `currency` is that of an amount. */
export function readField(field: Field, typed: string, currency = ""): ReadResult {
  switch (field.kind) {
    case "whole": {
      const value = Number(typed);
      const isRight = /^\d+$/.test(typed) && value >= field.least && value <= field.most;
      return read(isRight, value, `a whole number from ${counted(field.least)} to ${counted(field.most)}`);
    }
    case "amount": {
      const value = minorUnits(typed, currency);
      const isRight = value !== null && value >= 1 && value <= maxPrice;
      return read(isRight, value, "an amount, such as 5 or 4.99");
    }
    case "line": {
      const value = oneLine(typed);
      const isRight = isLine(field, value);
      return read(isRight, value, `${counted(field.least)} to ${counted(field.most)} characters`);
    }
    case "text": {
      const isRight = typed.length <= field.most && (field.empty || shownText(typed) !== "");
      return read(isRight, typed, `1 to ${counted(field.most)} characters`);
    }
    case "id":
      return read(typed.length >= 1 && typed.length <= field.most, typed, "an id");
    case "email":
      return read(isEmailAddress(typed), typed, "an email address");
    case "word": {
      const value = field.read(typed);
      return read(field.pattern.test(value), value, field.mistake);
    }
    case "words": {
      const value = [...new Set(typed.split(/[\s,]+/).filter(Boolean))];
      const isRight = value.length <= field.most && value.every((one) => field.pattern.test(one));
      return read(isRight, value, field.mistake);
    }
    case "choice": {
      const mistake = `one of ${Object.keys(field.choices).join(", ")}`;
      return read(Object.hasOwn(field.choices, typed), typed, mistake);
    }
    case "instant": {
      const at = new Date(typed);
      return Number.isNaN(at.getTime()) ? { mistake: "a date and time" } : { value: at.toISOString() };
    }
    case "flag":
      return { value: typed !== "" };
    default:
      return { value: typed };
  }
}

const read = (isRight: boolean, value: unknown, mistake: string): ReadResult =>
  isRight ? { value } : { mistake };

const counted = (number: number) => number.toLocaleString("en-US");
