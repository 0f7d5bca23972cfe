import { useState } from "react";
import { useClose } from "../../../api/tickets";
import { FormAlert } from "../../../parts/form-alert";
import { PatientButton } from "../../../parts/patient-button";
import { Button } from "../../../ui/button";
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "../../../ui/dialog";

/** Closes the ticket, after asking once. */
export function CloseButton({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  const closing = useClose(id);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="outline">Close ticket</Button>
      </DialogTrigger>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>Close this ticket?</DialogTitle>
          <DialogDescription>
            Support stops working on it. You can open it again for a week.
          </DialogDescription>
        </DialogHeader>
        <FormAlert problem={closing.error} />
        <DialogFooter>
          <DialogClose asChild>
            <Button variant="outline">Keep it open</Button>
          </DialogClose>
          <PatientButton
            pending={closing.isPending}
            doing="Closing…"
            problem={closing.error}
            onClick={() => closing.mutate(undefined, { onSuccess: () => setOpen(false) })}
          >
            Close ticket
          </PatientButton>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
