import type { BulkAction } from "@/contract/vocabulary/kinds";
import type { DeskJob } from "@/contract/wire/desk/jobs";

/** What a bulk action is called, and what it does to each licence. */
export const bulkWords: Record<BulkAction, { verb: string; does: string }> = {
  extend: { verb: "Extend", does: "adds the days to each of them that has an end" },
  suspend: { verb: "Suspend", does: "pauses each of them, and takes the role where it was the last" },
  reinstate: { verb: "Reinstate", does: "lets each suspended one work again" },
  revoke: { verb: "Revoke", does: "ends each of them for good, and refunds nothing" },
};

export const jobName = ({ action }: Pick<DeskJob, "action">): string =>
  action === "issue" ? "Issue licenses" : `${bulkWords[action].verb} licenses`;
