import type { BulkAction } from "@/contract/vocabulary/kinds";
import type { ImportOutcome } from "@/contract/vocabulary/import-files";
import type { DeskJob } from "@/contract/wire/desk/jobs";
import { counted } from "../parts/format";

/** What a bulk action is called, and what it does to each licence. */
export const bulkWords: Record<BulkAction, { verb: string; does: string }> = {
  extend: { verb: "Extend", does: "adds the days to each license that has an end date" },
  suspend: {
    verb: "Suspend",
    does: "suspends each license, and removes the role from customers without another",
  },
  reinstate: { verb: "Reinstate", does: "reinstates each suspended license" },
  revoke: { verb: "Revoke", does: "ends each license for good, and refunds nothing" },
};

const names: Partial<Record<DeskJob["action"], string>> = {
  issue: "Issue licenses",
  import_keys: "Import keys",
  import_customers: "Import customers",
};

export const jobName = ({ action }: Pick<DeskJob, "action">): string =>
  names[action] ?? `${bulkWords[action as BulkAction].verb} licenses`;

/** What a job does one after another: `3 licenses`. */
export const countedOf = ({ lines }: Pick<DeskJob, "lines">, count: number): string =>
  counted(count, lines === null ? "license" : "line");

/** What becomes of a line of a file: its name, and what that means. */
export const outcomeWords: Record<ImportOutcome, { name: string; means: string }> = {
  new: { name: "New", means: "Imported as written." },
  changed: { name: "Changed", means: "Imported, but not as written." },
  merged: { name: "Merged", means: "The same as another line, and imported once." },
  left_out: { name: "Left out", means: "In the shop already, and left as is." },
  refused: { name: "Refused", means: "Not imported." },
};
