import { queryOptions } from "@tanstack/react-query";
import { maxImportBytes, tooLargeToImport, type ImportedThing } from "@/contract/vocabulary/import-files";
import { changeManyLicences, importFile, issueLicences, showJob } from "@/contract/operations/jobs";
import type { Sent } from "@/contract/operations/operation";
import type { ImportFile, ImportPreview } from "@/contract/wire/desk/imports";
import type { JobPreview } from "@/contract/wire/desk/jobs";
import { second } from "@/contract/vocabulary/time";
import { sendBytes } from "./call";
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

export type ImportOrder = Omit<Sent<typeof importFile>, "preview">;

/** Sends a file of another shop, to be imported. */
export async function sendImportFile({
  what,
  file,
}: {
  what: ImportedThing;
  file: File;
}): Promise<ImportFile> {
  if (file.size > maxImportBytes) throw new Error(tooLargeToImport);
  return sendBytes<ImportFile>(`imports/${what}`, await file.arrayBuffer());
}

export const previewImport = (order: ImportOrder) =>
  callOperation(importFile, { ...order, preview: true }) as Promise<ImportPreview>;

export const startImport = (order: ImportOrder) =>
  callOperation(importFile, order) as Promise<{ job: string }>;

/** A job's progress, polled every second while it runs and somebody uses the page. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ["desk", "job", id],
    queryFn: () => callOperation(showJob, { id }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.finished_at ? false : pollWhileTouched(second)()),
    refetchOnWindowFocus: isTouched,
  });
