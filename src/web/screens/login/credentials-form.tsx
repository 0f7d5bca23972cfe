import { Link, useLocation } from "react-router";
import { Field, takeFocus } from "../../parts/field";
import { useFilledForm } from "../../hooks/use-filled-form";
import { FindOrderLink } from "../../parts/find-order-link";
import { FormAlert } from "../../parts/form-alert";
import { SubmitButton } from "../../parts/submit-button";
import { PasswordField } from "../../parts/account/password-field";

export type Credentials = { username: string; password: string };

/** The first step: username and password. */
export function CredentialsForm(props: {
  pending: boolean;
  problem: Error | null;
  /** The username typed before, after returning from the second step. */
  username?: string;
  onSend: (typed: Credentials) => void;
}) {
  const { state } = useLocation();
  const { form, wrong, alert } = useFilledForm(
    ["username", "password"],
    (typed) => {
      if (!props.pending) props.onSend(typed);
    },
    { problem: props.problem },
  );
  const missing = (name: keyof Credentials) => (wrong(name) === true ? `Enter your ${name}` : wrong(name));
  return (
    <form className="flex flex-col gap-5" aria-label="Login" {...form}>
      <FormAlert problem={alert} />
      <Field
        label="Username"
        name="username"
        defaultValue={props.username}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        wrong={missing("username")}
      />
      <PasswordField {...(props.username && { ref: takeFocus })} wrong={missing("password")} />
      <SubmitButton pending={props.pending} doing="Signing in…" problem={props.problem}>
        Login
      </SubmitButton>
      <Link
        to="/forgot-pass"
        state={state}
        className="mx-auto inline-flex min-h-11 items-center text-xs font-medium tracking-wider text-muted-foreground underline-offset-4 hover:text-foreground hover:underline"
      >
        FORGOT PASSWORD
      </Link>
      <FindOrderLink />
    </form>
  );
}
