import { queryOptions } from "@tanstack/react-query";
import type { BulkAction, DeskJob, JobPreview } from "@/contract/wire/desk/jobs";
import { second } from "@/contract/vocabulary/time";
import { readDesk, writeDesk } from "./call";
import type { Filters } from "./lists";
import { isTouched, whileTouched } from "./presence";

/** Which licences a job is about: these, or all that the list's filters leave. */
export type BulkChoice = { ids: readonly string[] } | { filter: Filters };

export type BulkOrder = BulkChoice & { action: BulkAction; days?: number; reason: string };

/** What a job would do, without doing it. */
export const previewBulk = (order: BulkOrder) =>
  writeDesk<JobPreview>("licences/bulk", { ...order, preview: true });

export const startBulk = (order: BulkOrder) => writeDesk<{ job: string }>("licences/bulk", order);

export type IssueOrder = { offer: string; count: number; email?: string; reason: string };

export const previewIssue = (order: IssueOrder) =>
  writeDesk<JobPreview>("licences/issue", { ...order, preview: true });

export const startIssue = (order: IssueOrder) => writeDesk<{ job: string }>("licences/issue", order);

/** A job's progress, every second while it runs and somebody is there. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ["desk", "job", id],
    queryFn: () => readDesk<DeskJob>(`jobs/${encodeURIComponent(id)}`),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.finished_at ? false : whileTouched(second)()),
    refetchOnWindowFocus: isTouched,
  });
