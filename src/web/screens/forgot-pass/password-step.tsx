import { useState } from "react";
import { AuthHeading } from "../../parts/auth-frame";
import { accountHints } from "../../parts/account/account-rules";
import { SecretField } from "../../parts/field";
import { useFilledForm } from "../../hooks/use-filled-form";
import { RenewToken } from "../../parts/renew-token";
import { SubmitButton } from "../../parts/submit-button";
import { goBackClass } from "./go-back";

export function PasswordStep(props: {
  pending: boolean;
  problem: Error | null;
  onReset: (password: string, renewToken: boolean) => void;
  onBack: () => void;
}) {
  const [renews, setRenews] = useState(true);
  const { form, wrong } = useFilledForm(
    ["new_password"],
    (typed) => {
      if (!props.pending) props.onReset(typed.new_password, renews);
    },
    { problem: props.problem, aliases: { password: "new_password" } },
  );
  return (
    <>
      <AuthHeading title="Choose a new password">
        At least eight characters. You will be signed out everywhere and have to sign in again.
      </AuthHeading>
      <form className="flex flex-col gap-5" aria-label="Reset" {...form}>
        <SecretField
          label="New Password"
          name="new_password"
          autoComplete="new-password"
          hint={accountHints.password}
          wrong={wrong("new_password")}
        />
        <RenewToken checked={renews} onChange={setRenews} />
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
