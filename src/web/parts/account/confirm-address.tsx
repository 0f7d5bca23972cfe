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
            Confirm <span className="wrap-anywhere">{user.email}</span> with the link or code we emailed. Then
            you can use it to recover your account.
          </span>
        ) : (
          <span>
            Confirm <span className="wrap-anywhere">{user.email_pending}</span> with the link or code we
            emailed to start using it.
          </span>
        )}
      </p>
      {user.email_pending !== null && user.email_confirmed && (
        <p className="text-sm text-muted-foreground">
          We emailed your old address, too; it can undo the change for 72 hours.
        </p>
      )}
      <CodeForm />
      <PatientButton variant="outline" className="self-start" call={send} doing="Sending…" onClick={mail}>
        Send the link again
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
    <form className="flex max-w-sm flex-col gap-4" aria-label="Confirm email" {...form}>
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
