import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { plainTyped } from "@/contract/vocabulary/typed-codes";
import { cn } from "../lib/utils";
import { FieldNote } from "./field";

const length = 6;
const digitsIn = (text: string) => plainTyped(text).replace(/\D/g, "");
const blank: readonly string[] = Array<string>(length).fill("");

/**
 * A six-digit security code, one box per digit. Pasting and autofill fill every box, ignoring anything but digits.
 * To clear it, change its `key`.
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
  /** The code in the boxes on mount, which is not submitted automatically. */
  filled?: string | undefined;
  /** Submits the form, once for each code that is completed. */
  submits?: boolean;
  onChange?: (code: string) => void;
}) {
  const {
    label,
    name = "security_code",
    wrong = false,
    hint,
    focusFirst = false,
    filled = "",
    submits = false,
    onChange,
  } = props;
  const message = typeof wrong === "string" ? wrong : undefined;
  const id = useId();
  const [boxes, setBoxes] = useState(() => (filled.length === length ? [...filled] : blank));
  const inputs = useRef<(HTMLInputElement | null)[]>([]);
  const focus = (at: number) => inputs.current[Math.min(Math.max(at, 0), length - 1)]?.focus();

  useEffect(() => {
    if (focusFirst) inputs.current[0]?.focus();
  }, [focusFirst, inputs]);

  const code = boxes.join("");
  const submitted = useRef(filled);
  useEffect(() => {
    const form = inputs.current[0]?.form;
    if (!submits || !form || !/^\d{6}$/.test(code) || code === submitted.current) return undefined;
    // password managers fill the boxes one by one, and some press the button too
    const timer = setTimeout(() => form.requestSubmit());
    const note = () => {
      clearTimeout(timer);
      submitted.current = code;
    };
    form.addEventListener("submit", note);
    return () => {
      clearTimeout(timer);
      form.removeEventListener("submit", note);
    };
  }, [submits, code, inputs, submitted]);

  function put(at: number, digits: string) {
    // a whole code fills from the first box, wherever it was pasted
    const from = digits.length >= length ? 0 : at;
    // a password manager may have filled the others already, and tell so only afterwards
    const shown = boxes.map((box, index) => digitsIn(inputs.current[index]?.value ?? "").at(-1) ?? box);
    const next = shown.map((box, index) => digits[index - from] ?? box);
    change(next);
    const empty = next.indexOf("");
    focus(empty === -1 ? length - 1 : empty);
  }

  function change(next: readonly string[]) {
    setBoxes(next);
    onChange?.(next.join(""));
  }

  function onType(at: number, text: string) {
    const digits = digitsIn(text);
    if (text === "") return change(boxes.with(at, ""));
    // a digit typed next to the old one replaces it
    const typed = digits.length === 2 ? digits.replace(boxes[at] ?? "", "") : digits;
    if (typed !== "") put(at, typed);
  }

  function onPaste(at: number, event: ClipboardEvent) {
    event.preventDefault();
    const digits = digitsIn(event.clipboardData.getData("text")).slice(0, length);
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
      <input type="hidden" name={name} value={code} />
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
            onChange={({ target, nativeEvent }) => {
              const isComposing = nativeEvent instanceof InputEvent && nativeEvent.isComposing;
              if (isComposing && /[^0-9]/.test(target.value)) setBoxes(boxes.with(at, target.value));
              else onType(at, target.value);
            }}
            // an input method that writes wide digits ends with these
            onCompositionEnd={(event) => onType(at, digitsIn(event.currentTarget.value))}
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
