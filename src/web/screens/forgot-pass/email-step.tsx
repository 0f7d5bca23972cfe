import { Link, useLocation } from "react-router";
import { AuthHeading } from "../../parts/auth-frame";
import { Field } from "../../parts/field";
import { useFilledForm } from "../../hooks/use-filled-form";
import { SubmitButton } from "../../parts/submit-button";
import { goBackClass } from "./go-back";

export function EmailStep(props: {
  pending: boolean;
  problem: Error | null;
  email: string;
  onSend: (email: string) => void;
}) {
  const { state } = useLocation();
  const { form, wrong } = useFilledForm(
    ["email"],
    ({ email }) => {
      if (!props.pending) props.onSend(email);
    },
    { problem: props.problem },
  );
  return (
    <>
      <AuthHeading title="Forgot your password?">
        We&apos;ll send a six-digit code to your account&apos;s email address.
      </AuthHeading>
      <form className="flex flex-col gap-5" aria-label="Send Email" {...form}>
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={props.email}
          wrong={wrong("email")}
        />
        <SubmitButton pending={props.pending} doing="Sending…">
          Send Email
        </SubmitButton>
        <Link to="/login" state={state} className={goBackClass}>
          GO BACK
        </Link>
      </form>
    </>
  );
}
