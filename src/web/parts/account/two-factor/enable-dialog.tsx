import { useState } from "react";
import { useFilledForm } from "../../../hooks/use-filled-form";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "../../../ui/dialog";
import { ForPasswordManagers, takeFocus } from "../../field";
import { PatientButton } from "../../patient-button";
import { isWrongPassword } from "../refusals";
import { RecoveryCodes } from "./recovery-codes";
import { type Offer, ScanStep } from "./scan-step";
import { PasswordField } from "../password-field";

/** Turns two-factor on: confirm the password, scan, verify a code, save the recovery codes. */
export function EnableDialog(props: { open: boolean; offer: Offer; username: string; onClose: () => void }) {
  const { offer } = props;
  const [offered, setOffered] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => {
    setOffered(false);
    setCodes(null);
    props.onClose();
  };
  const step = codes ? "codes" : offered ? "scan" : "password";
  return (
    <Dialog open={props.open} onOpenChange={close}>
      <DialogContent closable={codes === null}>
        {step === "password" && (
          <>
            <DialogHeader>
              <DialogTitle>Confirm your password</DialogTitle>
              <DialogDescription>Setting up two-factor authentication needs your password.</DialogDescription>
            </DialogHeader>
            <PasswordStep username={props.username} offer={offer} onTaken={() => setOffered(true)} />
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
            <ScanStep offer={offer} onEnabled={setCodes} />
          </>
        )}
        {codes && (
          <>
            <DialogHeader className="pr-0">
              <DialogTitle>Keep your recovery codes</DialogTitle>
              <DialogDescription>
                Each code signs you in once if you don&apos;t have your authenticator. You won&apos;t see them
                again.
              </DialogDescription>
            </DialogHeader>
            <RecoveryCodes codes={codes} username={props.username} onSaved={close} />
          </>
        )}
      </DialogContent>
    </Dialog>
  );
}

/** Asks for the password, without which a session can't begin two-factor. */
function PasswordStep({ username, offer, onTaken }: { username: string; offer: Offer; onTaken: () => void }) {
  const { form, wrong } = useFilledForm(
    ["password"],
    ({ password }) => {
      if (!offer.isPending)
        offer.mutate(password, { onSettled: (_, problem) => isWrongPassword(problem) || onTaken() });
    },
    { problem: offer.error },
  );
  return (
    <form className="flex flex-col gap-5" aria-label="Confirm your password" {...form}>
      <ForPasswordManagers username={username} />
      <PasswordField ref={takeFocus} wrong={wrong("password")} />
      <PatientButton type="submit" call={offer} doing="Checking…">
        Continue
      </PatientButton>
    </form>
  );
}
