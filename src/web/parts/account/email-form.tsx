import { type ReactNode, useState } from "react";
import type { Me } from "@/contract/wire/accounts";
import { useChangeEmail } from "../../api/account";
import { Field } from "../field";
import { useFilledForm } from "../../hooks/use-filled-form";
import { PatientButton } from "../patient-button";
import { useCodeBoxes } from "./refusals";
import { type EmailTyped, looksLikeEmail, maySave } from "./save-rule";
import { toastFormFailure, toastSuccess } from "./toasts";
import { SecurityCode } from "./security-code";
import { PasswordField } from "./password-field";

const names = ["email", "password", "security_code"] as const;
const nothing: Partial<EmailTyped> & Omit<EmailTyped, "email"> = { password: "", security_code: "" };

/** The read-only username, and the email, which takes the password and, with two-factor, a code to change. */
export function EmailForm(props: {
  user: Me;
  /** Disables the button until every required field is filled; otherwise only until there is a change to save. */
  guarded?: boolean;
  /** Shown next to the button. */
  beside?: ReactNode;
  onDone?: () => void;
}) {
  const { user, guarded = false, beside, onDone } = props;
  const change = useChangeEmail();
  const { boxes, clear, refused } = useCodeBoxes();
  const [changed, setChanged] = useState(nothing);
  const type = (name: keyof EmailTyped) => (value: string) =>
    setChanged((before) => ({ ...before, [name]: value }));
  const typed = { ...changed, email: changed.email ?? user.email ?? "" };

  const fields = user.mfa ? names : names.slice(0, 2);
  const save = (filled: EmailTyped) => {
    if (change.isPending || (guarded && !maySave(user, filled))) return;
    const { email, password, security_code } = filled;
    change.mutate(user.mfa ? { email, password, security_code } : { email, password }, {
      onSuccess: ({ data }) => {
        toastSuccess(data);
        setChanged(nothing);
        clear();
        onDone?.();
      },
      onError: (problem) => {
        refused(problem);
        toastFormFailure(problem, fields);
      },
    });
  };
  const { form, wrong } = useFilledForm(fields, save, {
    problem: change.error,
    check: ({ email }) => (looksLikeEmail(email) ? {} : { email: "An email address needs an @ and a dot" }),
  });

  return (
    <form className="flex flex-col gap-5" aria-label="Change email" {...form}>
      <div className="grid gap-5 sm:grid-cols-2">
        <Username user={user} />
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          value={typed.email}
          onChange={(event) => type("email")(event.target.value)}
          wrong={wrong("email")}
        />
      </div>
      <PasswordField
        value={typed.password}
        onChange={(event) => type("password")(event.target.value)}
        wrong={wrong("password")}
      />
      {user.mfa && (
        <SecurityCode boxes={boxes} wrong={wrong("security_code")} onChange={type("security_code")} />
      )}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        {beside}
        <PatientButton
          type="submit"
          call={change}
          doing="Saving…"
          disabled={guarded ? !maySave(user, typed) : typed.email.trim() === (user.email ?? "")}
        >
          Save
        </PatientButton>
      </div>
    </form>
  );
}

/** Never changes; password managers need it to find the account. */
function Username({ user }: { user: Me }) {
  return (
    <Field
      label="Username"
      name="username"
      value={user.username}
      readOnly
      aria-required={undefined}
      autoComplete="username"
      className="cursor-default border-border bg-transparent text-muted-foreground hover:border-border"
    />
  );
}
