import { queryOptions } from "@tanstack/react-query";
import { finishUpload, listUploads, showUpload } from "@/contract/operations/uploads";
import { second } from "@/contract/vocabulary/time";
import { sendBytes } from "./call";
import { callOperation } from "./operations";
import { isTouched, whileTouched } from "./presence";

/** The releases that are being sent or published. */
export const uploadsQuery = queryOptions({
  queryKey: ["desk", "uploads"],
  queryFn: async () => (await callOperation(listUploads, {})).rows,
  // published by the shop itself, so only asking tells how far it is
  refetchInterval: ({ state }) =>
    state.data?.some((upload) => upload.state === "publishing") ? whileTouched(second)() : false,
  refetchOnWindowFocus: isTouched,
  refetchOnReconnect: isTouched,
});

/** An upload as it is now: which parts are missing. */
export const readUpload = (id: string) => callOperation(showUpload, { id });

/** Has an upload published whose parts are all there. */
export const publishUpload = (id: string, reason: string) =>
  callOperation(finishUpload, { id, ...(reason !== "" && { reason }) });

export type Part = { id: string; file: number; part: number; sha256: string };

/** Sends a part of a file. */
export const sendPart = ({ id, file, part, sha256 }: Part, bytes: ArrayBuffer, signal: AbortSignal) =>
  sendBytes(
    `releases/uploads/${encodeURIComponent(id)}/files/${file}/parts/${part}?sha256=${sha256}`,
    bytes,
    signal,
  );
