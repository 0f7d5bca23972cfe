import type { OwnDevice } from "@/contract/wire/own-devices";
import type { useRemoveDevice } from "../../api/devices";
import { useNow } from "../../hooks/use-now";
import { ConfirmButton } from "../account/confirm-button";
import { toastFailure, toastSuccess } from "../account/toasts";
import { removalConsequence, removalWait } from "./seats";

type Props = {
  device: OwnDevice;
  /** The list's own mutation, so that its answer arrives even though the row is gone. */
  removing: ReturnType<typeof useRemoveDevice>;
  onRemoved?: (() => void) | undefined;
};

/** Removes a computer after asking, or says how long that takes. */
export function RemoveDevice({ device, removing, onRemoved }: Props) {
  const wait = removalWait(device, useNow());
  const mine = removing.variables === device.id;
  return (
    <ConfirmButton
      variant="outline"
      size="sm"
      aria-label={wait ? undefined : `Remove ${device.label}`}
      pending={mine && removing.isPending}
      doing="Removing…"
      problem={mine ? removing.error : null}
      disabled={wait !== null}
      title={`Remove ${device.label}?`}
      warning={removalConsequence(device)}
      action="Remove"
      onConfirm={() =>
        removing.mutate(device.id, {
          onSuccess: () => {
            toastSuccess(`Removed ${device.label}`);
            onRemoved?.();
          },
          // the server's sentence says from when it is possible
          onError: (problem) => toastFailure(problem),
        })
      }
    >
      {wait ? `Remove in ${wait.left}` : "Remove"}
    </ConfirmButton>
  );
}
