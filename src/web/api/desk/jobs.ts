import { queryOptions } from "@tanstack/react-query";
import { changeManyLicences, issueLicences, showJob } from "@/contract/operations/jobs";
import type { Sent } from "@/contract/operations/operation";
import type { JobPreview } from "@/contract/wire/desk/jobs";
import { second } from "@/contract/vocabulary/time";
import { callOperation } from "./operations";
import { isTouched, pollWhileTouched } from "./presence";

/** Which licences a job is about, and what it does to them. */
export type BulkOrder = Omit<Sent<typeof changeManyLicences>, "preview">;
/** These licences, or all that match the list's filters. */
export type BulkChoice = Pick<BulkOrder, "ids" | "filter">;
export type IssueOrder = Omit<Sent<typeof issueLicences>, "preview">;

/** What a job would do, without doing it. */
export const previewBulk = (order: BulkOrder) =>
  callOperation(changeManyLicences, { ...order, preview: true }) as Promise<JobPreview>;

export const startBulk = (order: BulkOrder) =>
  callOperation(changeManyLicences, order) as Promise<{ job: string }>;

export const previewIssue = (order: IssueOrder) =>
  callOperation(issueLicences, { ...order, preview: true }) as Promise<JobPreview>;

export const startIssue = (order: IssueOrder) =>
  callOperation(issueLicences, order) as Promise<{ job: string }>;

/** A job's progress, polled every second while it runs and somebody uses the page. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ["desk", "job", id],
    queryFn: () => callOperation(showJob, { id }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.finished_at ? false : pollWhileTouched(second)()),
    refetchOnWindowFocus: isTouched,
  });
