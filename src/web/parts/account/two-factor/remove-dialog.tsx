import { texts } from "@/contract/vocabulary/texts";
import { useRemoveMfa } from "../../../api/security";
import { useState } from "react";
import { PatientButton } from "../../patient-button";
import { useFilledForm } from "../../../hooks/use-filled-form";
import { useCodeBoxes, wantsPassword } from "../refusals";
import { takeFocus } from "../../field";
import { toastSuccess } from "../toasts";
import { SecurityCode } from "../security-code";
import { refuseIncomplete, toastNotVerified } from "./code-problems";
import { TitledDialog } from "../../titled-dialog";
import { PasswordField } from "../password-field";

/** Turns two-factor off, with a code or a recovery code. */
export function RemoveDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <TitledDialog
      open={open}
      onOpenChange={onClose}
      title="Disable two-factor authentication"
      description="You will sign in with just your password, and your recovery codes will stop working."
    >
      <RemoveForm onDone={onClose} />
    </TitledDialog>
  );
}

const names = ["security_code", "password"] as const;

function RemoveForm({ onDone }: { onDone: () => void }) {
  const remove = useRemoveMfa();
  const { boxes, refused } = useCodeBoxes();
  // sends the password with the code: confirming it first would use the code up
  const [asksPassword, askPassword] = useState(false);
  const fields = asksPassword ? names : names.slice(0, 1);
  const send = (typed: { security_code: string; password?: string }) => {
    if (remove.isPending) return;
    remove.mutate(typed, {
      onSuccess: () => {
        toastSuccess(texts.mfaRemoved);
        onDone();
      },
      onError: (problem) => {
        refused(problem);
        if (wantsPassword(problem)) askPassword(true);
        else toastNotVerified(problem, fields);
      },
    });
  };
  const { form, wrong } = useFilledForm(
    fields,
    ({ security_code, password }) => send(asksPassword ? { security_code, password } : { security_code }),
    { problem: remove.error, check: refuseIncomplete },
  );
  return (
    <form className="flex flex-col gap-5" aria-label="Disable two-factor" {...form}>
      <SecurityCode
        recovery
        focusFirst
        boxes={boxes}
        wrong={wrong("security_code")}
        submits={!asksPassword}
      />
      {asksPassword && (
        <>
          <p className="text-sm text-muted-foreground">
            You signed in a while ago, so please enter your password as well.
          </p>
          <PasswordField ref={takeFocus} wrong={wrong("password")} />
        </>
      )}
      <PatientButton type="submit" variant="destructive" call={remove} doing="Checking…">
        Disable
      </PatientButton>
    </form>
  );
}
