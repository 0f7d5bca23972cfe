import { type ComponentProps, useState } from "react";
import { Button } from "../../ui/button";
import { DialogClose, DialogFooter } from "../../ui/dialog";
import { PatientButton } from "../patient-button";
import { TitledDialog } from "../titled-dialog";

/** A button for irreversible actions: asks for confirmation, with the focus on Cancel. */
export function ConfirmButton({
  asks = true,
  title,
  warning,
  action,
  keep = "Cancel",
  onConfirm,
  ...button
}: Omit<ComponentProps<typeof PatientButton>, "onClick"> & {
  /** False if there is nothing to lose, so that a click acts at once. */
  asks?: boolean;
  title: string;
  warning: string;
  action: string;
  /** The label of the button that cancels. */
  keep?: string;
  onConfirm: () => void;
}) {
  const [open, setOpen] = useState(false);
  const confirm = () => {
    setOpen(false);
    onConfirm();
  };
  return (
    <>
      <PatientButton {...button} onClick={() => (asks ? setOpen(true) : onConfirm())} />
      <TitledDialog role="alertdialog" open={open} onOpenChange={setOpen} title={title} description={warning}>
        <DialogFooter>
          <DialogClose asChild>
            <Button variant="outline">{keep}</Button>
          </DialogClose>
          <Button variant="destructive" onClick={confirm}>
            {action}
          </Button>
        </DialogFooter>
      </TitledDialog>
    </>
  );
}
