import { useQueryClient } from "@tanstack/react-query";
import { TicketPercent } from "lucide-react";
import { type SubmitEvent, useEffect, useId, useRef, useState } from "react";
import type { CheckedCode } from "@/contract/wire/offers";
import { Refused } from "../../api/client";
import { codeQuery } from "../../api/promotion-codes";
import { pagePrice } from "../../page/currency";
import { Press } from "./press";
import { promotionCode } from "./promotion-code";
import { isAboutCode, type Sale } from "./use-sale";

/**
 * The promotion code in use and what it does, or the way to enter one. As high with a code as without, because only the
 * browser knows the code.
 */
export function CodeLine({ sale }: { sale: Sale }) {
  const { text } = sale.code;
  const line = useRef<HTMLDivElement>(null);
  const acted = useRef(false);
  // what had the focus went with the other line
  useEffect(() => {
    if (acted.current) line.current?.querySelector<HTMLElement>("summary, button")?.focus();
    acted.current = false;
  });
  const act = (change: () => void) => {
    acted.current = true;
    change();
  };
  return (
    <div ref={line} className="-my-2 text-sm">
      {text === null ? (
        <EnterCode sale={sale} onApply={(code) => act(() => promotionCode.remember(code))} />
      ) : (
        <CodeInUse sale={sale} text={text} onRemove={() => act(promotionCode.forget)} />
      )}
    </div>
  );
}

function CodeInUse({ sale, text, onRemove }: { sale: Sale; text: string; onRemove: () => void }) {
  const { asking, checked, refused } = sale.code;
  return (
    <p className="flex min-h-11 flex-wrap items-center gap-x-2.5">
      {/* with a large font, the button comes below */}
      <span className="flex max-w-max min-w-0 flex-1 basis-32 items-center gap-2.5">
        <TicketPercent aria-hidden="true" className="size-4 shrink-0 text-link" />
        <span className="min-w-0 wrap-anywhere">
          <strong translate="no" className="font-semibold">
            {text}
          </strong>
          <span className={refused ? "text-destructive-text" : "text-soft"}>
            {refused ? `: ${refused}` : !asking && `, ${effectText(checked, sale.offer.currency)}`}
          </span>
        </span>
      </span>
      <button
        type="button"
        aria-label="Remove code"
        onClick={onRemove}
        className="min-h-11 shrink-0 px-1 text-link underline underline-offset-4"
      >
        Remove
      </button>
    </p>
  );
}

/** `20% off`, `$2 off if Stripe accepts it` */
function effectText(code: CheckedCode | undefined, currency: string): string {
  if (!code || (code.off === 0 && !code.sure)) return "checked at checkout";
  const percent = (code.off * 100) / (code.amount + code.off);
  const off = Number.isInteger(percent) ? `${percent}%` : pagePrice(code.off, currency);
  return `${off} off${code.sure ? "" : " if Stripe accepts it"}`;
}

/** The field is uncontrolled, because it may be filled before hydration; without scripts it leads to `/?code=…`. */
function EnterCode({ sale, onApply }: { sale: Sale; onApply: (code: string) => void }) {
  const { offer, quantity, field } = sale;
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const saidBy = useId();
  const retryAt = problem instanceof Refused ? problem.retryAt : undefined;
  const apply = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = field.current?.value.trim();
    if (!typed || asking) return;
    setAsking(true);
    setProblem(undefined);
    try {
      await queries.query(codeQuery(offer.id, typed, quantity ?? 1));
      onApply(typed);
    } catch (error) {
      if (error instanceof Error) setProblem(error);
      if (isAboutCode(error)) field.current?.focus();
    }
    setAsking(false);
  };
  return (
    <details>
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center text-link underline underline-offset-4 [&::-webkit-details-marker]:hidden">
        Have a code?
      </summary>
      <form action="/" className="flex flex-wrap gap-2" onSubmit={(event) => void apply(event)}>
        <input
          ref={field}
          name="code"
          onChange={() => retryAt === undefined && setProblem(undefined)}
          aria-invalid={isAboutCode(problem) ? true : undefined}
          aria-describedby={problem ? saidBy : undefined}
          aria-label="Promotion code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className={fieldLook}
        />
        <Press
          type="submit"
          label="Apply"
          doing="Apply"
          busy={asking}
          retryAt={retryAt}
          disabled={false}
          className="inline-flex min-h-11 items-center gap-2 rounded-md border border-input bg-veil/3 px-4 font-medium hover:bg-accent [&_svg]:size-4"
        />
      </form>
      {problem && retryAt === undefined && (
        <p id={saidBy} role="alert" className="mt-2 text-destructive-text">
          {problem.message}
        </p>
      )}
    </details>
  );
}

/** Looks like `ui/input`, without the class helpers. */
const fieldLook =
  "min-h-11 min-w-0 flex-1 basis-24 rounded-md border border-input bg-field px-3 text-base outline-none focus-visible:border-ring focus-visible:ring-3 focus-visible:ring-ring/35 aria-invalid:border-destructive";
