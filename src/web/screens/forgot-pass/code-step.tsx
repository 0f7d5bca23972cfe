import { AuthHeading } from "../../parts/auth-frame";
import { CodeInput } from "../../parts/code-input";
import { type FormProblem, useFilledForm } from "../../hooks/use-filled-form";
import { useNow } from "../../hooks/use-now";
import { SubmitButton } from "../../parts/submit-button";
import { goBackClass } from "./go-back";

/** How long before the visitor can request another email. */
const resendSeconds = 60;

export function CodeStep(props: {
  email: string;
  /** When the last code was sent, in milliseconds. */
  sentAt: number;
  pending: boolean;
  problem: FormProblem | null;
  /** How often the server refused a code; each refusal clears the boxes. */
  refusals: number;
  onConfirm: (code: string) => void;
  onResend: () => void;
  onBack: () => void;
}) {
  const confirm = (code: string) => {
    if (!props.pending) props.onConfirm(code);
  };
  const { form, wrong } = useFilledForm(["code"], ({ code }) => confirm(code), { problem: props.problem });
  return (
    <>
      <AuthHeading title="Check your inbox">
        If <span className="break-all text-foreground">{props.email}</span> has an account, a code is on its
        way. It expires in ten minutes.
      </AuthHeading>
      <form className="flex flex-col gap-5" aria-label="Confirm" {...form}>
        <CodeInput
          key={props.refusals}
          label="Code from the email"
          name="code"
          hint="Six digits, from the newest email."
          wrong={wrong("code") ?? false}
          focusFirst
          submits
        />
        <SubmitButton pending={props.pending} doing="Checking…">
          Confirm
        </SubmitButton>
        <SendAgain sentAt={props.sentAt} onSend={props.onResend} />
        <button type="button" className={goBackClass} onClick={props.onBack}>
          GO BACK
        </button>
      </form>
    </>
  );
}

function SendAgain({ sentAt, onSend }: { sentAt: number; onSend: () => void }) {
  const left = resendSeconds - Math.floor((useNow(1000).getTime() - sentAt) / 1000);
  if (left > 0) {
    return (
      <p className="text-center text-sm text-muted-foreground" role="timer">
        Send again in {left} seconds
      </p>
    );
  }
  return (
    <button
      type="button"
      className="mx-auto min-h-11 text-sm text-link underline-offset-4 hover:underline"
      onClick={onSend}
    >
      Send again
    </button>
  );
}
