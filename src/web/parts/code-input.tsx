import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { cn } from "../lib/utils";
import { FieldNote } from "./field";

const length = 6;
const blank: readonly string[] = Array<string>(length).fill("");

/**
 * A six-digit security code, one box per digit. Pasting and autofill fill every box, ignoring anything but
 * digits; the sixth digit completes the code. To clear it, change its `key`.
 */
export function CodeInput(props: {
  label: string;
  /** The form field that holds the whole code. */
  name?: string;
  /** Marks the boxes as wrong; a string is shown below them. */
  wrong?: boolean | string;
  /** Shown below the boxes until they are wrong. */
  hint?: string;
  /** Focuses the first box on mount, as the next step of a form. */
  focusFirst?: boolean;
  /** The code in the boxes on mount, which completes nothing by itself. */
  filled?: string | undefined;
  onChange?: (code: string) => void;
  onComplete?: (code: string) => void;
}) {
  const {
    label,
    name = "security_code",
    wrong = false,
    hint,
    focusFirst = false,
    filled,
    onChange,
    onComplete,
  } = props;
  const message = typeof wrong === "string" ? wrong : undefined;
  const id = useId();
  const [boxes, setBoxes] = useState(() => (filled?.length === length ? [...filled] : blank));
  const inputs = useRef<(HTMLInputElement | null)[]>([]);
  const focus = (at: number) => inputs.current[Math.min(Math.max(at, 0), length - 1)]?.focus();

  useEffect(() => {
    if (focusFirst) inputs.current[0]?.focus();
  }, [focusFirst, inputs]);

  function put(at: number, digits: string) {
    // a whole code fills from the first box, wherever it was pasted
    const from = digits.length >= length ? 0 : at;
    const next = boxes.map((box, index) => digits[index - from] ?? box);
    change(next);
    const empty = next.indexOf("");
    focus(empty === -1 ? length - 1 : empty);
    if (empty === -1) onComplete?.(next.join(""));
  }

  function change(next: readonly string[]) {
    setBoxes(next);
    onChange?.(next.join(""));
  }

  function onType(at: number, text: string) {
    const digits = text.replace(/\D/g, "");
    if (text === "") return change(boxes.with(at, ""));
    // a digit typed next to the old one replaces it
    const typed = digits.length === 2 ? digits.replace(boxes[at] ?? "", "") : digits;
    if (typed !== "") put(at, typed);
  }

  function onPaste(at: number, event: ClipboardEvent) {
    event.preventDefault();
    const digits = event.clipboardData.getData("text").replace(/\D/g, "").slice(0, length);
    if (digits !== "") put(at, digits);
  }

  function onKeyDown(at: number, event: KeyboardEvent) {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: length - 1 }[event.key];
    const back = event.key === "Backspace" && boxes[at] === "";
    if (to === undefined && !back) return;
    event.preventDefault();
    focus(to ?? at - 1);
  }

  return (
    <fieldset
      data-field={name}
      className="flex flex-col gap-2"
      aria-describedby={message || hint ? `${id}-${message ? "wrong" : "hint"}` : undefined}
    >
      <legend className="mb-2 text-sm font-medium">{label}</legend>
      <input type="hidden" name={name} value={boxes.join("")} />
      <div className="grid grid-cols-6 gap-2">
        {boxes.map((digit, at) => (
          <input
            // oxlint-disable-next-line react/no-array-index-key -- a box is its place
            key={at}
            ref={(element) => {
              inputs.current[at] = element;
            }}
            value={digit}
            type="text"
            inputMode="numeric"
            pattern="[0-9]*"
            autoComplete={at === 0 ? "one-time-code" : "off"}
            aria-label={`Digit ${at + 1} of ${length}`}
            aria-invalid={wrong ? true : undefined}
            onChange={(event) => onType(at, event.target.value)}
            onPaste={(event) => onPaste(at, event)}
            onKeyDown={(event) => onKeyDown(at, event)}
            onFocus={(event) => event.target.select()}
            className={cn(
              "h-14 w-full rounded-md border border-input bg-background/60 text-center font-mono text-xl tabular-nums",
              "focus-visible:border-ring",
              wrong && "border-destructive",
            )}
          />
        ))}
      </div>
      <FieldNote id={id} message={message} hint={hint} />
    </fieldset>
  );
}
