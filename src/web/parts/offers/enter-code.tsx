import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { promotionCode, useRefusedCode } from "./promotion-code";

/**
 * Takes a promotion code before the purchase, which counts without Apply too. The open field shows the code in use, to be
 * corrected or removed; a refused one stays in it. Without scripts the form leads to `/?code=…`, where it counts as well.
 * Of one width, so that the code in use, which only the browser knows, moves nothing.
 */
export function EnterCode({ code }: { code: string | null }) {
  const [opened, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const refused = useRefusedCode();
  const open = opened || refused !== null;
  // when another code counts, or none, the field stops showing this one
  useEffect(() => () => void (field.current?.value === code && fill(field.current, "")), [code]);
  useEffect(() => {
    if (refused) fill(field.current, refused.code);
  }, [refused]);
  useEffect(() => {
    if (refused && open) field.current?.focus();
  }, [refused, open]);
  const apply = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const named = field.current?.value.trim();
    if (named) promotionCode.remember(named);
    else promotionCode.forget();
    // the field is about to be hidden; this line says which code counts now
    event.currentTarget.parentElement?.querySelector("summary")?.focus();
    setOpen(false);
  };
  const toggle = (isOpen: boolean) => {
    setOpen(isOpen);
    if (!isOpen) promotionCode.type("");
    if (!isOpen || !field.current?.value) fill(field.current, (isOpen && code) || "");
  };
  return (
    <details
      open={open}
      onToggle={(event) => toggle(event.currentTarget.open)}
      className="w-28 shrink-0 open:w-full"
    >
      <summary className="block cursor-pointer list-none truncate py-3 text-link underline underline-offset-4 [&::-webkit-details-marker]:hidden">
        {code ? `Code: ${code}` : "Have a code?"}
      </summary>
      <form action="/" className="flex gap-2" onSubmit={apply}>
        <input
          ref={field}
          name="code"
          onChange={(event) => promotionCode.type(event.currentTarget.value)}
          aria-invalid={refused ? true : undefined}
          aria-describedby={refused ? "code-problem" : undefined}
          aria-label="Promotion code"
          autoComplete="off"
          className={fieldLook}
        />
        <button type="submit" className="button-light h-11 px-5 text-sm">
          Apply
        </button>
      </form>
      {refused && (
        <p id="code-problem" className="mt-2 text-left text-destructive-text">
          {refused.sentence}
        </p>
      )}
    </details>
  );
}

/** The field is uncontrolled, because it may be filled before hydration. */
const fill = (field: HTMLInputElement | null, text: string) => {
  if (field) field.value = text;
};

/** Looks like `ui/input`, without the class helpers, which would weigh as much as the rest of this page's code. */
const fieldLook =
  "h-11 w-full min-w-0 rounded-md border border-input bg-background/40 px-3 text-base outline-none focus-visible:border-ring focus-visible:ring-3 focus-visible:ring-ring/35";
