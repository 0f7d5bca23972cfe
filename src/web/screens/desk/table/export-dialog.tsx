import { useMutation, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { DeskList } from "@/contract/wire/desk/lists";
import { NotConfirmed } from "../../../api/desk/call";
import { downloadConfirmed } from "../../../api/desk/download";
import { deskCountQuery, exportPath, type Filters } from "../../../api/desk/lists";
import { FormAlert } from "../../../parts/form-alert";
import { PatientButton } from "../../../parts/patient-button";
import { Button } from "../../../ui/button";
import { DialogClose, DialogFooter } from "../../../ui/dialog";
import { counted } from "../parts/format";
import { useMe } from "../parts/me";
import { TitledDialog } from "../../../parts/titled-dialog";

/** Says how many rows the export has before it starts; the browser downloads it as it is written. */
export function ExportDialog(props: {
  list: DeskList;
  words: readonly [one: string, more: string];
  filters: Filters;
  /** The filters in words; empty without any. */
  narrowed: string;
  onClose: () => void;
}) {
  const { list, words, filters, narrowed, onClose } = props;
  const { confirmed_until } = useMe();
  const { data, error } = useQuery(deskCountQuery(list, filters));
  const start = useMutation({
    mutationKey: ["desk", "export"],
    mutationFn: () => downloadConfirmed(exportPath(list, filters), confirmed_until),
    onSuccess: onClose,
  });
  const problem = error ?? (start.error instanceof NotConfirmed ? null : start.error);
  const what = data && counted(data.count, ...words, data.more ? "+" : "");
  return (
    <TitledDialog
      onOpenChange={(open) => open || onClose()}
      title={`Export ${words[1]}`}
      description={
        what === undefined
          ? "Counting…"
          : `Downloads ${what} as CSV: ${narrowed === "" ? "all, because no filter is set" : `those with ${narrowed}`}, newest first, with every field.`
      }
    >
      <FormAlert problem={problem} />
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="outline">Cancel</Button>
        </DialogClose>
        <PatientButton
          pending={start.isPending}
          doing="Starting…"
          problem={null}
          disabled={!data || data.count === 0}
          onClick={() => start.mutate()}
        >
          <Download aria-hidden="true" />
          <span>{`Export${what === undefined ? "" : ` ${what}`}`}</span>
        </PatientButton>
      </DialogFooter>
    </TitledDialog>
  );
}
