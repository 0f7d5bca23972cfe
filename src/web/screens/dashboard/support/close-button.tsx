import { useState } from "react";
import { useClose } from "../../../api/tickets";
import { FormAlert } from "../../../parts/form-alert";
import { PatientButton } from "../../../parts/patient-button";
import { Button } from "../../../ui/button";
import { DialogClose, DialogFooter } from "../../../ui/dialog";
import { TitledDialog } from "../../../parts/titled-dialog";

/** Closes the ticket, after asking once. */
export function CloseButton({ id, onClosing }: { id: string; onClosing: () => void }) {
  const [open, setOpen] = useState(false);
  const closing = useClose(id);
  return (
    <TitledDialog
      open={open}
      onOpenChange={setOpen}
      title="Close this ticket?"
      description="Support stops working on it. You can reopen it for a week."
      trigger={<Button variant="outline">Close ticket</Button>}
    >
      <FormAlert problem={closing.error} />
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="outline">Keep it open</Button>
        </DialogClose>
        <PatientButton
          call={closing}
          doing="Closing…"
          onClick={() => {
            onClosing();
            closing.mutate(undefined, { onSuccess: () => setOpen(false) });
          }}
        >
          Close ticket
        </PatientButton>
      </DialogFooter>
    </TitledDialog>
  );
}
