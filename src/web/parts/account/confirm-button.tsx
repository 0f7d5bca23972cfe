import { type ComponentProps, useState } from "react";
import { Button } from "../../ui/button";
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "../../ui/dialog";
import { PatientButton } from "../patient-button";

/** A button for irreversible actions: asks for confirmation, with the way out focused first. */
export function ConfirmButton({
  asks = true,
  title,
  warning,
  action,
  keep = "Cancel",
  onConfirm,
  ...button
}: Omit<ComponentProps<typeof PatientButton>, "onClick"> & {
  /** False if there is nothing to lose, so that a press acts at once. */
  asks?: boolean;
  title: string;
  warning: string;
  action: string;
  /** The way out. */
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
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent role="alertdialog">
          <DialogHeader>
            <DialogTitle>{title}</DialogTitle>
            <DialogDescription>{warning}</DialogDescription>
          </DialogHeader>
          <DialogFooter>
            <DialogClose asChild>
              <Button variant="outline">{keep}</Button>
            </DialogClose>
            <Button variant="destructive" onClick={confirm}>
              {action}
            </Button>
          </DialogFooter>
        </DialogContent>
      </Dialog>
    </>
  );
}
