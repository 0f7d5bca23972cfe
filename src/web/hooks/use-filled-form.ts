import { type InputEvent, type SubmitEvent, useState } from "react";

/**
 * A form whose fields are all required. The fields are uncontrolled, so text entered or autofilled before
 * hydration is not lost.
 */
export function useFilledForm<Name extends string>(
  names: readonly Name[],
  send: (typed: Record<Name, string>, form: HTMLFormElement) => void,
) {
  const [empty, setEmpty] = useState<readonly Name[]>([]);
  return {
    isEmpty: (name: Name) => empty.includes(name),
    form: {
      noValidate: true,
      // If submitted before hydration, it must not put a password into the URL.
      method: "post",
      onInput: (event: InputEvent<HTMLFormElement>) => {
        const { target } = event;
        if (target instanceof HTMLInputElement) setEmpty(empty.filter((name) => name !== target.name));
      },
      onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        const form = event.currentTarget;
        const typed = read(form, names);
        const left = names.filter((name) => typed[name] === "");
        setEmpty(left);
        if (left[0] === undefined) return send(typed, form);
        form.querySelector<HTMLInputElement>(`[name="${left[0]}"]`)?.focus();
      },
    } as const,
  };
}

/** Spaces around a name or key are typos; in a password they count. */
function read<Name extends string>(form: HTMLFormElement, names: readonly Name[]) {
  const data = new FormData(form);
  const entries = names.map((name) => {
    const value = data.get(name);
    const text = typeof value === "string" ? value : "";
    return [name, name.includes("password") ? text : text.trim()];
  });
  return Object.fromEntries(entries) as Record<Name, string>;
}
