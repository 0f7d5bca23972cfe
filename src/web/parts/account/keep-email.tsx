import { useState } from "react";
import { texts } from "@/contract/texts";
import { useKeepEmail } from "../../api/account";
import { Button } from "../../ui/button";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "../../ui/dialog";
import { useFilledForm } from "../../hooks/use-filled-form";
import { PatientButton } from "../patient-button";
import { useCodeBoxes } from "./refusals";
import { SecurityCode } from "./security-code";
import { toastFormFailure, toastSuccess } from "./toasts";

/** Makes an email change final at once, with a code from the two-factor that was on before the change. */
export function KeepEmail() {
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="link" className="self-start px-0">
          Make an email change final
        </Button>
      </DialogTrigger>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>Make the email change final</DialogTitle>
          <DialogDescription>
            For 72 hours, your previous email address can undo a change. A code ends that now, if two-factor
            was on before the change.
          </DialogDescription>
        </DialogHeader>
        <KeepForm onDone={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  );
}

const names = ["security_code"] as const;

function KeepForm({ onDone }: { onDone: () => void }) {
  const keep = useKeepEmail();
  const { boxes, refused } = useCodeBoxes();
  const send = ({ security_code }: { security_code: string }) => {
    if (keep.isPending) return;
    keep.mutate(security_code, {
      onSuccess: () => {
        toastSuccess(texts.emailKept);
        onDone();
      },
      onError: (problem) => {
        refused(problem);
        toastFormFailure(problem, names);
      },
    });
  };
  const { form, wrong } = useFilledForm(names, send, { problem: keep.error });
  return (
    <form className="flex flex-col gap-5" aria-label="Make the email change final" {...form}>
      <SecurityCode recovery focusFirst boxes={boxes} wrong={wrong("security_code")} />
      <PatientButton type="submit" pending={keep.isPending} doing="Confirming…" problem={keep.error}>
        Make it final
      </PatientButton>
    </form>
  );
}
