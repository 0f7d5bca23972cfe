import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { AnswerOf, Declaration, Sent } from "@/contract/operations/operation";
import { type Field, readField } from "@/contract/vocabulary/fields";
import type { DeskMe } from "@/contract/wire/desk/staff";
import { callOperation } from "../../../api/desk/operations";

/** What was typed into an operation's fields, by their names. */
export type FieldTexts = Readonly<Record<string, string>>;

/** A field of an operation other than its reason. A checked box has the value `on`. */
export type OperationField = {
  name: string;
  label: string;
  type?: "text" | "email" | "number" | "date" | "datetime-local" | "textarea" | "check";
  hint?: string;
  initial?: string;
  optional?: boolean;
  choices?: Readonly<Record<string, string>>;
  /** What is wrong with what was typed, before the shop is asked. */
  check?: ((text: string, typed: FieldTexts) => string | undefined) | undefined;
};

/**
 * Something that staff do to a thing, as a button, a dialog and a command of the palette. The dialog says the
 * consequence, asks for the fields and a reason, shows why the shop refused, and asks for a code if needed.
 */
export type Operation<Answer = unknown> = {
  name: string;
  icon: LucideIcon;
  /** Says who may run it, and whether it takes a reason. */
  declared: Declaration;
  /** What it does, as a whole sentence, from what was typed so far. */
  consequence(typed: FieldTexts): ReactNode;
  fields: readonly OperationField[];
  /** What people will see of what was typed so far. */
  preview?(typed: FieldTexts): ReactNode;
  /** Takes something away. */
  grave?: true;
  /** What its page is for as things are now: at most one on a page. */
  main?: true;
  /** Asks for nothing and is easily undone: one press does it, without a dialog. */
  direct?: true;
  run(typed: FieldTexts, reason: string): Promise<Answer>;
  /** The sentence shown once it is done. */
  done(answer: Answer): string;
  /** Stays in the dialog once it is done, such as a key to copy. */
  result?(answer: Answer): ReactNode;
};

type NameOf<D> = D extends { fields: infer F } ? keyof F & string : never;
type Differs = Partial<Omit<OperationField, "name">>;

type Button<D extends Declaration> = Pick<
  Operation<AnswerOf<D>>,
  "name" | "icon" | "consequence" | "preview" | "grave" | "main" | "direct" | "done" | "result"
> & {
  /** The id of the thing that it is done to. */
  id?: string;
  /** The currency in which amounts are typed. */
  currency?: string;
  /** What the form says of a field beyond its declaration; null leaves the field out. */
  fields?: { [Name in NameOf<D>]?: Differs | null };
  /** The whole form, where it isn't the declared fields in their order. */
  form?: (field: (name: NameOf<D>, differs?: Differs) => OperationField) => readonly OperationField[];
  /** What is sent, where that isn't each field as it was typed. */
  sent?: (typed: FieldTexts) => Partial<Omit<Sent<D>, "reason">>;
};

/** The button and form of a declared operation. */
export function deskOperation<D extends Declaration>(
  declared: D,
  { id, currency, fields: differing = {}, form, sent, ...button }: Button<D>,
): Operation<AnswerOf<D>> {
  const differs = differing as Record<string, Differs | null | undefined>;
  const all = declared.fields ?? {};
  const names = Object.keys(all).filter((name) => differs[name] !== null && all[name]?.kind !== "schema");
  const inputOf = (name: string, different?: Differs | null): OperationField => {
    const field = all[name] ? formField(name, all[name], currency) : { name, label: name };
    // the declared choices are not those of this form
    return different?.choices ? { ...field, check: undefined, ...different } : { ...field, ...different };
  };
  const fields = form?.(inputOf) ?? names.map((name) => inputOf(name, differs[name]));
  const initial = new Map(fields.map((field) => [field.name, field.initial]));
  return {
    ...button,
    declared,
    fields,
    run: (typed, reason) =>
      callOperation(declared, {
        ...(id !== undefined && { id }),
        ...(sent?.(typed) ??
          typedFields(
            names.map((name) => [name, all[name], initial.get(name)]),
            typed,
            currency,
          )),
        ...(reason !== "" && { reason }),
      } as Sent<D>),
  };
}

const types = {
  whole: "number",
  text: "textarea",
  email: "email",
  flag: "check",
  instant: "datetime-local",
} as const;

/** The input of a declared field. */
export function formField(name: string, field: Field, currency?: string): OperationField {
  const { label, hint, kind, optional, otherwise } = field;
  return {
    name,
    label: kind === "amount" && currency ? `${label} in ${currency.toUpperCase()}` : label,
    ...(hint !== undefined && { hint }),
    ...(kind in types && { type: types[kind as keyof typeof types] }),
    ...(kind === "choice" && { choices: field.choices }),
    ...((optional || otherwise !== undefined || (kind === "text" && field.empty)) && {
      optional: true as const,
    }),
    check(typed) {
      const read = readField(field, typed, currency);
      return "mistake" in read ? `Enter ${read.mistake}` : undefined;
    },
  };
}

type NamedField = readonly [name: string, field: Field | undefined, initial: string | undefined];

/**
 * What was typed, as the call takes it. What is left empty is not sent, unless that says something: null. A change says it
 * only of a field that was filled.
 */
function typedFields(fields: readonly NamedField[], typed: FieldTexts, currency?: string): object {
  return Object.fromEntries(
    fields.flatMap(([name, field, before]) => {
      const text = typed[name] ?? "";
      if (field === undefined) return [];
      if (text === "" && field.kind === "text") return [[name, ""]];
      if (text === "" && field.kind === "words") return [[name, []]];
      if (text === "" && field.kind === "flag" && before) return [[name, false]];
      const isCleared = field.nullable && (!field.optional || Boolean(before));
      if (text === "") return isCleared ? [[name, null]] : [];
      const read = readField(field, text, currency);
      return "value" in read ? [[name, read.value]] : [];
    }),
  );
}

/** Whether the shop lets this member of staff do it; what they may not do is not shown. */
export const mayDo = (
  { may }: Pick<DeskMe, "may">,
  { name, permission = name }: Pick<Declaration, "name" | "permission">,
): boolean => may.includes(permission);
