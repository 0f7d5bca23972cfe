import { type QueryClient, queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import type { Upload } from "@/contract/wire/desk/releases";
import { minute, second } from "@/contract/vocabulary/time";
import { Refused, Unreachable } from "../../../../api/client";
import { NotConfirmed } from "../../../../api/desk/call";
import { publishUpload, sendPart, uploadsQuery } from "../../../../api/desk/uploads";

/** The progress of an upload that this page sends. Before `isOver`, a problem means that it waits and then retries. */
export type SendState = { isOver: boolean; problem: Error | null };

const sendingQuery = (id: string) =>
  queryOptions<SendState>({ queryKey: ["desk", "sending", id], queryFn: skipToken, gcTime: Infinity });

/** The state of an upload that this page sends; undefined if another page sends it. */
export const useSending = (id: string): SendState | undefined => useQuery(sendingQuery(id)).data;

/** Sends the files of an upload part by part, and publishes it. Continues for as long as the page is open. */
export async function sendBuilds(
  queries: QueryClient,
  { id, part_bytes: size }: Upload,
  { files, reason }: { files: File[]; reason: string },
): Promise<void> {
  const show = (problem: unknown, isOver = false) =>
    queries.setQueryData(sendingQuery(id).queryKey, {
      isOver,
      problem: problem instanceof Error ? problem : null,
    });
  const patiently = async <Value>(call: () => Promise<Value>): Promise<Value> => {
    for (let failures = 0; ; failures += 1) {
      show(null);
      try {
        return await call();
      } catch (problem) {
        const wait = waitAfter(problem, failures);
        if (wait === null) throw problem;
        show(problem);
        await waitOrOnline(wait);
      }
    }
  };
  try {
    const builds = new Blob(files);
    for (let at = 0; at < builds.size;) {
      const bytes = await bytesOf(builds.slice(at, at + size));
      const received = await patiently(() => sendPart(id, at / size, bytes));
      at = received;
      queries.setQueryData(uploadsQuery.queryKey, (all) =>
        all?.map((one) => (one.id === id ? { ...one, received } : one)),
      );
    }
    await patiently(() => publishUpload(id, reason));
    show(null, true);
  } catch (problem) {
    // nobody typed the code: the card offers to publish
    show(problem instanceof NotConfirmed ? null : problem, true);
  }
  await queries.invalidateQueries({ queryKey: uploadsQuery.queryKey });
}

async function bytesOf(part: Blob): Promise<ArrayBuffer> {
  try {
    return await part.arrayBuffer();
  } catch (cause) {
    throw new Error("A file can no longer be read. Cancel the upload and start over", { cause });
  }
}

/** How long to wait after a failure; null if waiting doesn't help. */
function waitAfter(problem: unknown, failures: number): number | null {
  const patient = Math.min(second * 2 ** failures, minute / 2);
  if (problem instanceof Unreachable) return patient;
  if (!(problem instanceof Refused)) return null;
  if (problem.status === 429) return Math.max(second, (problem.retryAt ?? 0) - Date.now());
  return problem.status >= 500 ? patient : null;
}

/** Resolves after the time, or once the browser has its line back. */
const waitOrOnline = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
    addEventListener("online", () => resolve(), { once: true, signal: AbortSignal.timeout(milliseconds) });
  });
