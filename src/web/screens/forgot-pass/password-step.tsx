import { AuthHeading } from "../../parts/auth-frame";
import { NewPasswordField } from "../../parts/account/new-account-fields";
import { useFilledForm } from "../../hooks/use-filled-form";
import { isWrongCode, useCodeBoxes } from "../../parts/account/refusals";
import { SecurityCode } from "../../parts/account/security-code";
import { SubmitButton } from "../../parts/submit-button";
import { goBackClass } from "./go-back";

const names = ["new_password", "security_code"] as const;

export function PasswordStep(props: {
  pending: boolean;
  problem: Error | null;
  onReset: (typed: { password: string; security_code?: string }) => void;
  onBack: () => void;
}) {
  const { boxes } = useCodeBoxes();
  // a former address takes the account back, whose two-factor stays
  const asksCode = isWrongCode(props.problem);
  const { form, wrong } = useFilledForm(
    asksCode ? names : names.slice(0, 1),
    ({ new_password: password, security_code }) => {
      if (!props.pending) props.onReset(asksCode ? { password, security_code } : { password });
    },
    { problem: props.problem, aliases: { password: "new_password" } },
  );
  return (
    <>
      <AuthHeading title="Choose a new password">
        At least eight characters. This signs you out everywhere, including the application.
      </AuthHeading>
      <form className="flex flex-col gap-5" aria-label="Reset" {...form}>
        <NewPasswordField label="New Password" name="new_password" wrong={wrong("new_password")} />
        {asksCode && <SecurityCode recovery focusFirst boxes={boxes} wrong={wrong("security_code")} />}
        <SubmitButton pending={props.pending} doing="Resetting…">
          Reset
        </SubmitButton>
        <button type="button" className={goBackClass} onClick={props.onBack}>
          GO BACK
        </button>
      </form>
    </>
  );
}
