import { useState } from "react";
import { useReauthenticate } from "../../../api/security";
import { useFilledForm } from "../../../hooks/use-filled-form";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "../../../ui/dialog";
import { ForPasswordManagers, SecretField, takeFocus } from "../../field";
import { PatientButton } from "../../patient-button";
import { wantsPassword } from "../refusals";
import { toastFormFailure } from "../toasts";
import { RecoveryCodes } from "./recovery-codes";
import { type Offer, ScanStep } from "./scan-step";

/**
 * Turns two-factor on: confirm the password if it was entered too long ago, scan, verify a code, save the
 * recovery codes.
 */
export function EnableDialog(props: { open: boolean; offer: Offer; username: string; onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => {
    setCodes(null);
    props.onClose();
  };
  const step = codes ? "codes" : wantsPassword(props.offer.error) ? "password" : "scan";
  return (
    <Dialog open={props.open} onOpenChange={close}>
      <DialogContent closable={codes === null}>
        {step === "password" && (
          <>
            <DialogHeader>
              <DialogTitle>Confirm your password</DialogTitle>
              <DialogDescription>
                You signed in a while ago, so please confirm your password before you set up two-factor
                authentication.
              </DialogDescription>
            </DialogHeader>
            <PasswordStep username={props.username} onProved={() => props.offer.mutate()} />
          </>
        )}
        {step === "scan" && (
          <>
            <DialogHeader>
              <DialogTitle>Enable two-factor authentication</DialogTitle>
              <DialogDescription>
                Scan the QR code with an authenticator app, then enter the code it shows.
              </DialogDescription>
            </DialogHeader>
            <ScanStep offer={props.offer} onEnabled={setCodes} />
          </>
        )}
        {codes && (
          <>
            <DialogHeader className="pr-0">
              <DialogTitle>Keep your recovery codes</DialogTitle>
              <DialogDescription>
                Each of them signs you in once when you don&apos;t have your authenticator. They are shown
                only now.
              </DialogDescription>
            </DialogHeader>
            <RecoveryCodes codes={codes} username={props.username} onSaved={close} />
          </>
        )}
      </DialogContent>
    </Dialog>
  );
}

/** Asks for the password again, then calls `onProved`. */
function PasswordStep({ username, onProved }: { username: string; onProved: () => void }) {
  const prove = useReauthenticate();
  const { form, wrong } = useFilledForm(
    ["password"],
    ({ password }) => {
      if (!prove.isPending)
        prove.mutate(password, {
          onSuccess: onProved,
          onError: (problem) => toastFormFailure(problem, ["password"]),
        });
    },
    { problem: prove.error },
  );
  return (
    <form className="flex flex-col gap-5" aria-label="Confirm your password" {...form}>
      <ForPasswordManagers username={username} />
      <SecretField
        label="Password"
        name="password"
        autoComplete="current-password"
        ref={takeFocus}
        wrong={wrong("password")}
      />
      <PatientButton type="submit" pending={prove.isPending} doing="Checking…" problem={prove.error}>
        Continue
      </PatientButton>
    </form>
  );
}
