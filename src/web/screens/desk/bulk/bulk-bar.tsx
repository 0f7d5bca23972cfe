import { useState } from "react";
import { changeManyLicences } from "@/contract/operations/jobs";
import type { BulkAction } from "@/contract/vocabulary/kinds";
import type { BulkChoice } from "../../../api/desk/jobs";
import type { Filters } from "../../../api/desk/lists";
import { Button } from "../../../ui/button";
import { counted } from "../parts/format";
import { useMe } from "../parts/me";
import { mayDo } from "../operation/operation";
import { BulkDialog } from "./bulk-dialog";
import { bulkWords } from "./bulk-words";

/** What owners may do to the selected licences, or to all that the list's filters leave. */
export function BulkBar(props: { ids: readonly string[]; filters: Filters; clear: () => void }) {
  const { ids, filters, clear } = props;
  const me = useMe();
  const [open, setOpen] = useState<BulkAction | null>(null);
  const isNarrowed = Object.keys(filters).length > 0;
  if (!mayDo(me, changeManyLicences) || (ids.length === 0 && !isNarrowed)) return null;
  const choice: BulkChoice = ids.length > 0 ? { ids: [...ids] } : { filter: filters };
  return (
    <fieldset
      aria-label="Bulk actions"
      className="sticky bottom-20 short:static z-10 flex flex-wrap items-center gap-2 rounded-xl border bg-popover p-2 pl-4 shadow-dialog md:bottom-4"
    >
      <span className="mr-auto min-h-8 content-center text-sm">
        {ids.length > 0 ? `${counted(ids.length, "license")} selected` : "All that match the filters"}
      </span>
      {Object.entries(bulkWords).map(([action, { verb }]) => (
        // the keys of a record are its own
        <Button key={action} variant="outline" size="sm" onClick={() => setOpen(action as BulkAction)}>
          {verb}
        </Button>
      ))}
      {ids.length > 0 && (
        <Button variant="ghost" size="sm" onClick={clear}>
          Clear selection
        </Button>
      )}
      {open && <BulkDialog action={open} choice={choice} onClose={() => setOpen(null)} />}
    </fieldset>
  );
}
