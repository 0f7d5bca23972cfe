import { type SubmitEvent, type SyntheticEvent, useEffect, useRef, useState } from "react";

/** Marks a field as wrong, with a sentence or `true`. */
type Wrong = true | string;
type Mistakes<Name extends string> = Partial<Record<Name, Wrong>>;
type FieldTexts<Name extends string> = Record<Name, string>;

/** Why the server refused the form: `field` if it is about one field, and the sentences of several in `fields`. */
export type FormProblem = {
  message: string;
  field?: string | undefined;
  fields?: Readonly<Record<string, string>> | undefined;
};

type Options<Name extends string> = {
  /** The server's last refusal; null once the form is sent again. */
  problem?: FormProblem | null;
  /** The form's names for the server's fields, where they differ. */
  aliases?: Readonly<Record<string, Name>>;
  /** Fields that may be left empty. */
  optional?: readonly Name[];
  /** Finds further mistakes in the fields. */
  check?: (typed: FieldTexts<Name>) => Mistakes<Name>;
};

/**
 * A form and its mistakes. Changing a field clears its error, sending again clears the form's own, and the first wrong
 * field gets the focus. The fields are uncontrolled, so text entered or autofilled before hydration is not lost.
 * @param names the fields, from top to bottom
 */
export function useFilledForm<Name extends string>(
  names: readonly Name[],
  send: (typed: FieldTexts<Name>, form: HTMLFormElement) => void,
  { problem = null, aliases = {}, optional = [], check = () => ({}) }: Options<Name> = {},
) {
  const [mistakes, setMistakes] = useState<Mistakes<Name>>({});
  const [corrected, correct] = useState<{ of: FormProblem | null; names: string[] }>({ of: null, names: [] });
  const [sentAgain, sendAgain] = useState<FormProblem | null>(null);
  const ref = useRef<HTMLFormElement>(null);
  const refusal = problem === sentAgain ? null : problem;
  const blamed = sentencesOf(refusal, aliases);
  const first = names.find((name) => blamed.has(name));

  useEffect(() => {
    if (problem && first !== undefined) focusField(ref.current, first);
  }, [problem, first]);

  const onChange = ({ target }: SyntheticEvent<HTMLFormElement>) => {
    const changed = nameOf(target);
    setMistakes((before) => ({ ...before, [changed]: undefined }));
    if (blamed.has(changed))
      correct(({ of, names: before }) => ({
        of: problem,
        names: [...(of === problem ? before : []), changed],
      }));
  };
  const isCorrected = (name: Name) => corrected.of === problem && corrected.names.includes(name);
  return {
    /** A field's mistake, if any. */
    wrong: (name: Name): Wrong | undefined =>
      mistakes[name] ?? (isCorrected(name) ? undefined : blamed.get(name)),
    /** The refusal, unless it is about some of the fields. */
    alert: first === undefined ? refusal : null,
    form: {
      ref,
      noValidate: true,
      // submitting before hydration must not put a password into the URL
      method: "post",
      onInput: onChange,
      // the boxes of a code handle pasting themselves
      onPaste: onChange,
      onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        const form = event.currentTarget;
        const typed = read(form, names);
        const empty = names.filter((name) => typed[name] === "" && !optional.includes(name));
        const found = { ...check(typed), ...Object.fromEntries(empty.map((name) => [name, true])) };
        setMistakes(found);
        sendAgain(problem);
        const mistaken = names.find((name) => Object.hasOwn(found, name));
        if (mistaken === undefined) send(typed, form);
        else focusField(form, mistaken);
      },
    } as const,
  };
}

/** Each refused field's sentence, under the form's own names. */
function sentencesOf(refusal: FormProblem | null, aliases: Readonly<Record<string, string>>) {
  const { field, fields, message = "" } = refusal ?? {};
  const all = fields ?? (field === undefined ? {} : { [field]: message });
  return new Map(Object.entries(all).map(([name, sentence]) => [aliases[name] ?? name, sentence]));
}

/** A field's own name, or that of its group of boxes. */
function nameOf(target: EventTarget): string {
  if (!(target instanceof HTMLElement)) return "";
  return target.closest<HTMLElement>("[data-field]")?.dataset.field ?? target.getAttribute("name") ?? "";
}

function focusField(form: HTMLFormElement | null, name: string) {
  const box = form?.querySelector<HTMLElement>(`[data-field="${name}"] [aria-label]`);
  (box ?? form?.querySelector<HTMLElement>(`[name="${name}"]`))?.focus();
}

/** Invisible characters, which come with text pasted from chats and web pages; some emoji contain them. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;
const isOneName = (name: string) => /email|username/i.test(name);

/** Trims names and keys, where spaces are typos; in a password they count. Also removes invisible characters from names. */
function read<Name extends string>(form: HTMLFormElement, names: readonly Name[]) {
  const data = new FormData(form);
  const entries = names.map((name) => {
    const value = data.get(name);
    const text = typeof value === "string" ? value : "";
    if (name.includes("password")) return [name, text];
    return [name, (isOneName(name) ? text.replace(unseen, "") : text).trim()];
  });
  return Object.fromEntries(entries) as FieldTexts<Name>;
}
