import { Pencil } from "lucide-react";
import { useState } from "react";
import type { OwnDevice } from "@/contract/wire/own-devices";
import { useRenameDevice } from "../../api/devices";
import { useFilledForm } from "../../hooks/use-filled-form";
import { Button } from "../../ui/button";
import { toastSuccess } from "../account/toasts";
import { Field, takeFocus } from "../field";
import { FormAlert } from "../form-alert";
import { SubmitButton } from "../submit-button";
import { tooLong } from "../long-text";
import { TitledDialog } from "../titled-dialog";

/** Names a computer, in a dialog. */
export function RenameDevice({ device }: { device: OwnDevice }) {
  const [open, setOpen] = useState(false);
  return (
    <TitledDialog
      open={open}
      onOpenChange={setOpen}
      title={`Rename ${device.label}`}
      description="Only you and support see this name. The application won't change it."
      trigger={
        <Button variant="outline" size="sm" aria-label={`Rename ${device.label}`}>
          <Pencil aria-hidden="true" />
          Rename
        </Button>
      }
    >
      <NameForm device={device} onDone={() => setOpen(false)} />
    </TitledDialog>
  );
}

const longestName = 64;

function NameForm({ device, onDone }: { device: OwnDevice; onDone: () => void }) {
  const rename = useRenameDevice();
  const send = ({ label }: { label: string }) => {
    if (rename.isPending) return;
    rename.mutate(
      { id: device.id, label },
      {
        onSuccess: () => {
          toastSuccess(`Renamed to ${label}`);
          onDone();
        },
      },
    );
  };
  const { form, wrong, alert } = useFilledForm(["label"], send, {
    problem: rename.error,
    check: ({ label }) => {
      const excess = tooLong(label, longestName);
      return excess ? { label: excess } : {};
    },
  });
  const mistake = wrong("label");
  return (
    <form className="flex flex-col gap-5" aria-label="Rename" {...form}>
      <FormAlert problem={alert} />
      <Field
        label="Name"
        name="label"
        ref={takeFocus}
        defaultValue={device.label}
        autoComplete="off"
        wrong={mistake === true ? "Enter a name" : mistake}
      />
      <SubmitButton call={rename} doing="Saving…">
        Save
      </SubmitButton>
    </form>
  );
}
