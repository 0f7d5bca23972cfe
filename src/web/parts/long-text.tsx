import { type ComponentProps, useId } from "react";
import { cn } from "../lib/utils";
import { Textarea } from "../ui/textarea";

type Props = Omit<ComponentProps<"textarea">, "value" | "maxLength"> & {
  value: string;
  /** The longest text that may be sent. A longer one stays in the field, which says how much is too many. */
  most: number;
  /** Another mistake in it. */
  wrong?: boolean | string | undefined;
};

/** A field for several lines, which scrolls before it fills a phone's screen. */
export function LongText({ most, wrong, className, ...textarea }: Props) {
  const id = useId();
  const { value } = textarea;
  const excess = tooLong(value, most);
  const mistake = excess ?? (typeof wrong === "string" ? wrong : undefined);
  const left = most - value.length;
  const note = mistake ?? (left <= most / 10 ? `${left} characters left` : "");
  return (
    <div className="flex w-full flex-col gap-2">
      <Textarea
        aria-invalid={excess || wrong ? true : undefined}
        aria-describedby={note ? id : undefined}
        className={cn("max-h-[min(20rem,50dvh)]", className)}
        {...textarea}
      />
      <p
        id={id}
        aria-live="polite"
        className={cn("text-sm empty:hidden", mistake ? "text-destructive-text" : "text-muted-foreground")}
      >
        {note}
      </p>
    </div>
  );
}

/** What is wrong with a text of more than `most` characters. Fields take more, so that nothing typed or pasted is lost. */
export function tooLong(text: string, most: number): string | undefined {
  const over = text.length - most;
  if (over <= 0) return undefined;
  return over === 1 ? "1 character too many" : `${over.toLocaleString("en-US")} characters too many`;
}
