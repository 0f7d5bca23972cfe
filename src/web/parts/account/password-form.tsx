import { useState } from "react";
import type { Me } from "@/contract/wire/accounts";
import { texts } from "@/contract/vocabulary/texts";
import { normalizePassword } from "@/contract/vocabulary/account-rules";
import { useChangePassword } from "../../api/account";
import { ForPasswordManagers, SecretField } from "../field";
import { useFilledForm } from "../../hooks/use-filled-form";
import { PatientButton } from "../patient-button";
import { RenewToken } from "../renew-token";
import { NewPasswordField } from "./new-account-fields";
import { useCodeBoxes } from "./refusals";
import { toastFormFailure, toastSuccess } from "./toasts";
import { SecurityCode } from "./security-code";

const names = ["old_password", "new_password", "repeat_password", "security_code"] as const;
type PasswordInput = Record<(typeof names)[number], string>;

/** Changes the password; needs the old one and, with two-factor, a code. Signs out every other session. */
export function PasswordForm({ user, onDone }: { user: Me; onDone?: () => void }) {
  const change = useChangePassword();
  const { boxes, clear, refused } = useCodeBoxes();
  const [renews, setRenews] = useState(false);
  const fields = user.mfa ? names : names.slice(0, 3);
  const save = (typed: PasswordInput, element: HTMLFormElement) => {
    if (change.isPending) return;
    const { old_password, new_password, security_code } = typed;
    const passwords = { old_password, new_password, ...(renews && { renew_token: true }) };
    change.mutate(user.mfa ? { ...passwords, security_code } : passwords, {
      onSuccess: () => {
        toastSuccess(texts.passwordUpdated);
        element.reset();
        setRenews(false);
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
    check: ({ new_password, repeat_password }) =>
      normalizePassword(new_password) === normalizePassword(repeat_password)
        ? {}
        : { repeat_password: "The new passwords do not match" },
  });

  return (
    <form className="flex flex-col gap-5" aria-label="Change password" {...form}>
      <ForPasswordManagers username={user.username} />
      <SecretField
        label="Old Password"
        name="old_password"
        autoComplete="current-password"
        wrong={wrong("old_password")}
      />
      <NewPasswordField label="New Password" name="new_password" wrong={wrong("new_password")} />
      <SecretField
        label="Repeat Password"
        name="repeat_password"
        autoComplete="new-password"
        wrong={wrong("repeat_password")}
      />
      {user.mfa && <SecurityCode boxes={boxes} wrong={wrong("security_code")} />}
      {user.api_key !== null && <RenewToken checked={renews} onChange={setRenews} />}
      <PatientButton type="submit" call={change} doing="Changing…" className="sm:self-end">
        Change Password
      </PatientButton>
    </form>
  );
}
