import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { promotionCode, useRefusedCode } from "./promotion-code";

/**
 * Takes a promotion code before the purchase, which counts without Apply too. Without scripts the form leads to `/?code=…`, where it counts as well. Of
 * one width, so that the code in use, which only the browser knows, moves nothing.
 */
export function EnterCode({ code }: { code: string | null }) {
  const [open, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const refused = useRefusedCode();
  useEffect(() => {
    if (!refused || !field.current?.value) return;
    promotionCode.keep(field.current.value);
    setOpen(true);
  }, [refused]);
  useEffect(() => {
    if (refused && open) field.current?.focus();
  }, [refused, open]);
  const apply = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get("code");
    const named = typeof typed === "string" ? typed.trim() : "";
    if (named === "") return;
    promotionCode.remember(named);
    // the field is about to be hidden; this line says which code counts now
    event.currentTarget.parentElement?.querySelector("summary")?.focus();
    setOpen(false);
  };
  return (
    <details
      open={open}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
        if (!event.currentTarget.open) promotionCode.type("");
      }}
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
          aria-invalid={refused || undefined}
          aria-describedby={refused ? "purchase-problem" : undefined}
          aria-label="Promotion code"
          autoComplete="off"
          maxLength={64}
          required
          className={fieldLook}
        />
        <button type="submit" className="button-light h-11 px-5 text-sm">
          Apply
        </button>
      </form>
    </details>
  );
}

/** Looks like `ui/input`, without the class helpers, which would weigh as much as the rest of this page's code. */
const fieldLook =
  "h-11 w-full min-w-0 rounded-md border border-input bg-background/40 px-3 text-base outline-none focus-visible:border-ring focus-visible:ring-3 focus-visible:ring-ring/35";
