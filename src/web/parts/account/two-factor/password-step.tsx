import { useReauthenticate } from "../../../api/security";
import { SecretField, takeFocus } from "../../field";
import { useFilledForm } from "../../../hooks/use-filled-form";
import { PatientButton } from "../../patient-button";
import { saidOf } from "../refusals";
import { toastFailure } from "../toasts";

/** Asks for the password again, then continues with what needed it. */
export function PasswordStep({ username, onProved }: { username: string; onProved: () => void }) {
  const prove = useReauthenticate();
  const { form, isEmpty } = useFilledForm(["password"], ({ password }) => {
    if (!prove.isPending)
      prove.mutate(password, { onSuccess: onProved, onError: (problem) => toastFailure(problem) });
  });
  return (
    <form className="flex flex-col gap-5" aria-label="Confirm your password" {...form}>
      <input type="hidden" name="username" autoComplete="username" value={username} />
      <SecretField
        label="Password"
        name="password"
        autoComplete="current-password"
        ref={takeFocus}
        wrong={isEmpty("password") || saidOf(prove.error, "password")}
      />
      <PatientButton type="submit" pending={prove.isPending} doing="Checking…" problem={prove.error}>
        Continue
      </PatientButton>
    </form>
  );
}
