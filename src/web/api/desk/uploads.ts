import { queryOptions } from "@tanstack/react-query";
import { finishUpload, listUploads, showUpload } from "@/contract/operations/uploads";
import { second } from "@/contract/vocabulary/time";
import { sendBytes } from "./call";
import { callOperation } from "./operations";
import { refetchWhenTouched, pollWhileTouched } from "./presence";

/** The releases that are being sent or published. */
export const uploadsQuery = queryOptions({
  queryKey: ["desk", "uploads"],
  queryFn: async () => (await callOperation(listUploads, {})).rows,
  // the shop publishes it, so its progress has to be polled
  refetchInterval: ({ state }) =>
    state.data?.some((upload) => upload.state === "publishing") ? pollWhileTouched(second)() : false,
  ...refetchWhenTouched,
});

export const readUpload = (id: string) => callOperation(showUpload, { id });

/** Publishes a complete upload. */
export const publishUpload = (id: string, reason: string) =>
  callOperation(finishUpload, { id, ...(reason !== "" && { reason }) });

/** Sends a part of the builds; resolves to how many bytes the shop has. */
export const sendPart = async (id: string, part: number, bytes: ArrayBuffer) =>
  (await sendBytes<{ received: number }>(`releases/uploads/${encodeURIComponent(id)}/parts/${part}`, bytes))
    .received;
