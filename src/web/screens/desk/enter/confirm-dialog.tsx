import { useEffect, useRef, useState } from "react";
import { setConfirm } from "../../../api/desk/call";
import { useConfirm } from "../../../api/desk/session";
import { CodeForm } from "./code-form";
import { TitledDialog } from "../../../parts/titled-dialog";

/** Opens when the shop asks for a fresh code, and then repeats the refused call. Mounted once, in the frame. */
export function ConfirmDialog() {
  const [open, setOpen] = useState(false);
  const answer = useRef<(confirmed: boolean) => void>(undefined);
  const confirm = useConfirm();
  useEffect(() => {
    const end = setConfirm(
      () =>
        new Promise<boolean>((resolve) => {
          answer.current = resolve;
          setOpen(true);
        }),
    );
    return () => {
      end();
      // the desk closed meanwhile: a call that waits for a code ends as not confirmed
      answer.current?.(false);
    };
  }, []);
  const close = (confirmed: boolean) => {
    setOpen(false);
    confirm.reset();
    answer.current?.(confirmed);
  };
  return (
    <TitledDialog
      open={open}
      onOpenChange={(shown) => shown || close(false)}
      title="Confirm it's you"
      description="This needs a fresh code. You won't be asked for another one for ten minutes."
    >
      <CodeForm
        label="Confirm it's you"
        action="Confirm"
        pending={confirm.isPending}
        problem={confirm.error}
        onSend={(code) => confirm.mutate(code, { onSuccess: () => close(true) })}
      />
    </TitledDialog>
  );
}
