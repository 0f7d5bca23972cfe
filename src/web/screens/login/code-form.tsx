import { useMemo, useState } from "react";
import { Refused } from "../../api/client";
import { AuthHeading } from "../../parts/auth-frame";
import { CodeInput } from "../../parts/code-input";
import { Field, takeFocus } from "../../parts/field";
import { FormAlert } from "../../parts/form-alert";
import { SubmitButton } from "../../parts/submit-button";
import { SupportAddress } from "../../parts/support-address";
import { useFilledForm } from "../../hooks/use-filled-form";

type Props = {
  username: string;
  pending: boolean;
  problem: Error | null;
  /** How often the server refused a code; each refusal of six digits clears the boxes and flips the screen. */
  refusals: number;
  onSend: (code: string) => void;
  onBack: () => void;
};

/** The second step: the authenticator code or a recovery code. */
export function CodeForm({ username, problem, refusals, onSend, ...props }: Props) {
  const [recovering, setRecovering] = useState(false);
  // a refusal is about the kind of code that was sent
  const [sentRecovering, setSentRecovering] = useState(false);
  const form = {
    ...props,
    problem: sentRecovering === recovering ? problem : null,
    onSend: (code: string) => {
      setSentRecovering(recovering);
      onSend(code);
    },
    onOther: () => setRecovering(!recovering),
  };
  const flips = refusals > 0 && !sentRecovering;
  return (
    <>
      <AuthHeading title="One more step">
        {`Signing in as ${username}. ${
          recovering ? "Enter one of your recovery codes." : "Enter the code from your authenticator app."
        }`}
      </AuthHeading>
      {recovering ? (
        <RecoveryForm {...form} />
      ) : (
        <div key={refusals} className={flips ? "flip-once" : undefined}>
          <AppForm {...form} />
        </div>
      )}
    </>
  );
}

type FormProps = Pick<Props, "pending" | "problem" | "onSend" | "onBack"> & { onOther: () => void };

function AppForm({ pending, problem, onSend, onBack, onOther }: FormProps) {
  const send = (code: string) => {
    if (!pending) onSend(code);
  };
  const { form, wrong, alert } = useFilledForm(
    ["security_code"],
    ({ security_code }) => send(security_code),
    { problem },
  );
  const mistake = wrong("security_code");
  // the form shows the sentence about a wrong code, and marks the boxes
  const message = typeof mistake === "string" ? { message: mistake } : alert;
  return (
    <form className="flex flex-col gap-5" aria-label="Mobile authentication" {...form}>
      <FormAlert problem={message} />
      <CodeInput
        label="Code from your authenticator app"
        hint="Six digits, new every 30 seconds."
        wrong={mistake === true ? "Enter the six digits" : mistake !== undefined}
        focusFirst
        submits
      />
      <SubmitButton pending={pending} doing="Checking…">
        Confirm
      </SubmitButton>
      <Ways other="Use a recovery code" {...{ onBack, onOther }} />
    </form>
  );
}

const wrongCode = {
  field: "security_code",
  message: "That recovery code is wrong or was already used",
} as const;

/** A wrong code stays in its field, to be compared with the paper that it was copied from. */
function RecoveryForm({ pending, problem, onSend, onBack, onOther }: FormProps) {
  const isWrong = problem instanceof Refused && problem.code === "mfa_code_invalid";
  const { form, wrong, alert } = useFilledForm(
    ["security_code"],
    ({ security_code }) => {
      if (!pending) onSend(security_code);
    },
    // a new object for each refusal, so that a repeated one shows as well
    { problem: useMemo(() => (problem && isWrong ? { ...wrongCode } : problem), [problem, isWrong]) },
  );
  const mistake = wrong("security_code");
  return (
    <form className="flex flex-col gap-5" aria-label="Mobile authentication" {...form}>
      <FormAlert problem={alert} />
      <Field
        label="Recovery code"
        name="security_code"
        ref={takeFocus}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint="One of the ten codes you saved. Each works once."
        wrong={mistake === true ? "Enter a recovery code" : mistake}
      />
      <SubmitButton pending={pending} doing="Checking…">
        Confirm
      </SubmitButton>
      <Ways other="Use the authenticator app" {...{ onBack, onOther }} />
      <p className="text-sm text-muted-foreground">
        Lost both the app and your recovery codes? Write to <SupportAddress />.
      </p>
    </form>
  );
}

function Ways(props: { other: string; onBack: () => void; onOther: () => void }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 text-sm">
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
        onClick={props.onOther}
      >
        {props.other}
      </button>
    </div>
  );
}
