import { useState } from "react";
import { CodeInput } from "../../parts/code-input";
import { Field } from "../../parts/field";
import { FormAlert } from "../../parts/form-alert";
import { SubmitButton } from "../../parts/submit-button";
import { useFilledForm } from "../../hooks/use-filled-form";

/** The second step: the authenticator code or a recovery code. */
export function CodeForm(props: {
  pending: boolean;
  problem: Error | null;
  /** How often the server refused a code; each refusal clears the boxes and flips the screen. */
  refusals: number;
  onSend: (code: string) => void;
  onBack: () => void;
}) {
  const [recovering, setRecovering] = useState(false);
  const send = (code: string) => {
    if (!props.pending) props.onSend(code);
  };
  const { form, wrong, alert } = useFilledForm(
    ["security_code"],
    ({ security_code }) => send(security_code),
    { problem: props.problem },
  );
  const mistake = wrong("security_code");
  // the form shows the sentence about a wrong code, and marks the boxes
  const message = typeof mistake === "string" ? { message: mistake } : alert;
  return (
    <div key={props.refusals} className={props.refusals > 0 ? "flip-once" : undefined}>
      <form className="flex flex-col gap-5" aria-label="Mobile authentication" {...form}>
        <FormAlert problem={message} />
        {recovering ? (
          <Field
            label="Recovery code"
            name="security_code"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            hint="One of the ten codes that you saved. Each works once."
            wrong={mistake === true ? "Enter a recovery code" : mistake !== undefined}
          />
        ) : (
          <CodeInput
            label="Code from your authenticator app"
            hint="Six digits, new every 30 seconds."
            wrong={mistake === true ? "Enter the six digits" : mistake !== undefined}
            focusFirst
            onComplete={send}
          />
        )}
        <SubmitButton pending={props.pending} doing="Checking…">
          Confirm
        </SubmitButton>
        <div className="flex justify-between text-sm">
          <button
            type="button"
            className="min-h-11 text-muted-foreground hover:text-foreground"
            onClick={props.onBack}
          >
            GO BACK
          </button>
          <button
            type="button"
            className="min-h-11 text-link underline-offset-4 hover:underline"
            onClick={() => setRecovering(!recovering)}
          >
            {recovering ? "Use the authenticator app" : "Use a recovery code"}
          </button>
        </div>
      </form>
    </div>
  );
}
