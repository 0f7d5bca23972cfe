import { useState } from "react";
import type { Me } from "@/contract/wire/accounts";
import { texts } from "@/contract/vocabulary/texts";
import { useConfirmByCode } from "../../api/account";
import { useFilledForm } from "../../hooks/use-filled-form";
import { CodeInput } from "../code-input";
import { PatientButton } from "../patient-button";
import { toastFailure, toastSuccess } from "./toasts";

/** Asks for the code mailed to the account's address, or to its pending one; nothing once it is confirmed. */
export function ConfirmAddress({ user }: { user: Me }) {
  const send = useConfirmByCode();
  const address = user.email_pending ?? user.email;
  if (!user.sends_mail || address === null || (user.email_confirmed && user.email_pending === null))
    return null;
  const mail = () =>
    send.mutate(undefined, {
      onSuccess: () => toastSuccess(texts.emailAsked(address)),
      onError: (problem) => toastFailure(problem),
    });
  return (
    <div className="flex flex-col gap-4 rounded-lg border bg-well p-4">
      <p className="text-sm text-pretty">
        {user.email_pending === null ? (
          <span>
            Nobody has confirmed <span className="wrap-anywhere">{user.email}</span> yet: open the link that
            we mailed there, or type its digits. A confirmed address takes your account back if you lose it.
          </span>
        ) : (
          <span>
            Your account uses <span className="wrap-anywhere">{user.email_pending}</span> once it is
            confirmed. Open the link that we mailed there, or type its digits.
          </span>
        )}
      </p>
      <CodeForm />
      <PatientButton variant="outline" className="self-start" call={send} doing="Sending…" onClick={mail}>
        Send it again
      </PatientButton>
    </div>
  );
}

function CodeForm() {
  const confirm = useConfirmByCode();
  const [refusals, setRefusals] = useState(0);
  const { form, wrong } = useFilledForm(
    ["code"],
    ({ code }) => {
      if (!confirm.isPending)
        confirm.mutate(code, {
          onSuccess: ({ email }) => toastSuccess(texts.emailUpdated(email)),
          onError: () => setRefusals((times) => times + 1),
        });
    },
    { problem: confirm.error },
  );
  return (
    <form className="flex flex-col gap-4" aria-label="Confirm email" {...form}>
      <CodeInput
        key={refusals}
        label="Code from the email"
        name="code"
        hint="Six digits, from the newest email."
        wrong={wrong("code") ?? false}
        submits
      />
    </form>
  );
}
