import { useEffect, useEffectEvent } from "react";
import { isWrongCode, useCodeBoxes } from "../../../parts/account/refusals";
import { CodeInput } from "../../../parts/code-input";
import { FormAlert } from "../../../parts/form-alert";
import { SubmitButton } from "../../../parts/submit-button";
import { useFilledForm } from "../../../hooks/use-filled-form";

/** The six digits of the authenticator; sent as soon as they are complete. A wrong code empties the boxes. */
export function CodeForm(props: {
  label: string;
  action: string;
  pending: boolean;
  problem: Error | null;
  /** A code that the boxes hold from the start. */
  filled?: string | undefined;
  onSend: (code: string) => void;
}) {
  const { label, action, pending, problem, filled, onSend } = props;
  const { boxes, refused } = useCodeBoxes();
  const empty = useEffectEvent(refused);
  useEffect(() => {
    if (problem) empty(problem);
  }, [problem]);
  const send = (code: string) => {
    if (!pending) onSend(code);
  };
  const { form, wrong } = useFilledForm(["security_code"], ({ security_code }) => send(security_code));
  const mistaken = isWrongCode(problem) ? problem?.message : undefined;
  return (
    <form className="flex flex-col gap-5" aria-label={label} {...form}>
      <FormAlert problem={mistaken === undefined ? problem : null} />
      <CodeInput
        key={boxes.round}
        label="Code from your authenticator app"
        hint="Six digits, new every 30 seconds."
        wrong={wrong("security_code") ? "Enter the six digits" : (mistaken ?? false)}
        focusFirst
        filled={boxes.round === 0 ? filled : undefined}
        submits
      />
      <SubmitButton pending={pending} doing="Checking…" problem={problem}>
        {action}
      </SubmitButton>
    </form>
  );
}
