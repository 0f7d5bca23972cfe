import { useState } from "react";
import { CodeInput } from "../code-input";
import { Field } from "../field";
import type { CodeBoxes } from "./refusals";

/**
 * The authenticator code, as the form's `security_code`; `recovery` also allows a recovery code.
 * `useCodeBoxes` clears the boxes.
 */
export function SecurityCode(props: {
  /** What is wrong with the code; true if it is missing. */
  wrong: boolean | string | undefined;
  boxes: CodeBoxes;
  recovery?: boolean;
  focusFirst?: boolean;
  /** Submits the form with six digits, once for each code. */
  submits?: boolean;
  onChange?: (code: string) => void;
}) {
  const { wrong, boxes, recovery = false, focusFirst = false, submits = false } = props;
  const [recovering, setRecovering] = useState(false);
  return (
    <div className="flex max-w-sm flex-col gap-1">
      {recovering ? (
        <Field
          label="Recovery code"
          name="security_code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="XXXXX-XXXXX"
          className="font-mono"
          hint="One of the ten codes you saved. Each works once."
          wrong={wrong === true ? "Enter a recovery code" : wrong}
        />
      ) : (
        <CodeInput
          key={boxes.round}
          label="Code from your authenticator app"
          hint="Six digits, new every 30 seconds."
          wrong={wrong === true ? "Enter the six digits" : (wrong ?? false)}
          focusFirst={focusFirst || boxes.again}
          submits={submits}
          {...(props.onChange && { onChange: props.onChange })}
        />
      )}
      {recovery && (
        <button
          type="button"
          className="min-h-11 self-start text-sm text-link underline-offset-4 hover:underline md:min-h-8"
          onClick={() => setRecovering(!recovering)}
        >
          {recovering ? "Use the authenticator app" : "Use a recovery code"}
        </button>
      )}
    </div>
  );
}
