import { texts } from "@/contract/texts";
import { useRemoveMfa } from "../../../api/security";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "../../../ui/dialog";
import { PatientButton } from "../../patient-button";
import { useFilledForm } from "../../form";
import { isWrongCode, useCodeBoxes } from "../refusals";
import { sayDone } from "../say";
import { SecurityCode } from "../security-code";
import { sayNotVerified } from "./failed";
import { isWholeCode, sayIncomplete } from "./whole-code";

/** Turns two-factor off, with a code or a recovery code. */
export function RemoveDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onOpenChange={onClose}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>Disable two-factor authentication</DialogTitle>
          <DialogDescription>
            From then on your password alone signs in, and your recovery codes are worth nothing.
          </DialogDescription>
        </DialogHeader>
        <RemoveForm onDone={onClose} />
      </DialogContent>
    </Dialog>
  );
}

function RemoveForm({ onDone }: { onDone: () => void }) {
  const remove = useRemoveMfa();
  const { boxes, refused } = useCodeBoxes();
  const send = (code: string) => {
    if (remove.isPending) return;
    remove.mutate(code, {
      onSuccess: () => {
        sayDone(texts.mfaRemoved);
        onDone();
      },
      onError: (problem) => {
        refused(problem);
        sayNotVerified(problem);
      },
    });
  };
  const { form, isEmpty } = useFilledForm(["security_code"], ({ security_code }) =>
    isWholeCode(security_code) ? send(security_code) : sayIncomplete(),
  );
  return (
    <form className="flex flex-col gap-5" aria-label="Disable two-factor" {...form}>
      <SecurityCode
        recovery
        focusFirst
        boxes={boxes}
        wrong={isEmpty("security_code") || isWrongCode(remove.error)}
        onComplete={send}
      />
      <PatientButton
        type="submit"
        variant="destructive"
        pending={remove.isPending}
        doing="Checking…"
        problem={remove.error}
      >
        Disable
      </PatientButton>
    </form>
  );
}
