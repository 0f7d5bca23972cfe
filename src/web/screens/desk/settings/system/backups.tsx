import { useQuery } from "@tanstack/react-query";
import { Archive, DatabaseBackup } from "lucide-react";
import { listBackups, makeBackup } from "@/contract/operations/system";
import { second } from "@/contract/vocabulary/time";
import type { BackupRow } from "@/contract/wire/desk/system";
import { itemQuery } from "../../../../api/desk/collections";
import { pollWhileTouched } from "../../../../api/desk/presence";
import { writeSize } from "../../../../parts/build-files";
import { FormAlert } from "../../../../parts/form-alert";
import { RowsSection, type RowsDefinition } from "../../collection/rows-section";
import { deskOperation } from "../../operation/operation";
import { When } from "../../parts/when";

const backups: RowsDefinition<BackupRow> = {
  title: "Backups",
  lead: "Encrypted copies of the database, newest first. To restore one, run shop restore on the server.",
  icon: Archive,
  columns: [
    { id: "made_at", name: "Created", cell: ({ made_at }) => <When at={made_at} />, leads: true },
    { id: "bytes", name: "Size", cell: ({ bytes }) => writeSize(bytes), end: true, width: "7rem" },
    {
      id: "own",
      name: "Shop",
      cell: ({ own }) => (own === null ? "Can't be read" : own ? "This shop" : "Another shop"),
      width: "9rem",
    },
    {
      id: "id",
      name: "File",
      cell: ({ id }) => <code className="font-mono text-xs wrap-anywhere">{id}</code>,
      width: "minmax(0,1.8fr)",
      whole: true,
      phone: "line",
    },
  ],
  nameOf: ({ id }) => id,
  empty: "There are no backups yet.",
};

/** The backups where scheduled ones go, and a button for one more. */
export function Backups() {
  const { data, error, refetch } = useQuery({
    ...itemQuery(listBackups, {}),
    refetchInterval: ({ state }) => (state.data?.making ? pollWhileTouched(2 * second)() : false),
  });
  return (
    <RowsSection
      of={backups}
      rows={data?.rows}
      problem={error}
      retry={() => void refetch()}
      make={data?.making ? [] : [make]}
    >
      {data && <p className="text-sm wrap-anywhere text-muted-foreground">{`Kept in ${data.place}.`}</p>}
      <div aria-live="polite">
        {data?.making && <p className="text-sm text-muted-foreground">A backup is being made…</p>}
      </div>
      <FormAlert problem={data?.problem ? { message: data.problem } : null} />
    </RowsSection>
  );
}

const make = deskOperation(makeBackup, {
  name: "Make a backup",
  icon: DatabaseBackup,
  consequence: () => "Makes an encrypted copy of the database. The shop keeps selling meanwhile.",
  done: ({ making }) => (making ? "The backup is being made" : "Backup made"),
});
