import type { BulkAction } from "@/contract/vocabulary/kinds";
import type { DeskJob } from "@/contract/wire/desk/jobs";

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

export const jobName = ({ action }: Pick<DeskJob, "action">): string =>
  action === "issue" ? "Issue licenses" : `${bulkWords[action].verb} licenses`;
