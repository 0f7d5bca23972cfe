import { queryOptions } from "@tanstack/react-query";
import type { Channel, Platform } from "@/contract/vocabulary/builds";
import type { Upload } from "@/contract/wire/desk/releases";
import { second } from "@/contract/vocabulary/time";
import { readDesk, sendBytes, writeDesk } from "./call";
import { isTouched, whileTouched } from "./presence";

/** The releases that are being sent or published. */
export const uploadsQuery = queryOptions({
  queryKey: ["desk", "uploads"],
  queryFn: async () => (await readDesk<{ rows: Upload[] }>("releases/uploads")).rows,
  // published by the shop itself, so only asking tells how far it is
  refetchInterval: ({ state }) =>
    state.data?.some((upload) => upload.state === "publishing") ? whileTouched(second)() : false,
  refetchOnWindowFocus: isTouched,
  refetchOnReconnect: isTouched,
});

export type NewUpload = {
  version: string;
  channel: Channel;
  title: string;
  content: string;
  rollout: number;
  minimum_version?: string;
  keep: readonly Platform[];
  tell: boolean;
  files: readonly { name: string; size: number; sha256: string; platform?: Platform }[];
  reason: string;
};

const path = (id: string) => `releases/uploads/${encodeURIComponent(id)}`;

export const beginUpload = (wanted: NewUpload) => writeDesk<Upload>("releases/uploads", wanted);

/** An upload as it is now: which parts are missing. */
export const readUpload = (id: string) => readDesk<Upload>(path(id));

/** Has an upload published whose parts are all there. */
export const finishUpload = (id: string, reason: string) =>
  writeDesk<Upload>(`${path(id)}/finish`, { reason });

/** Ends an upload, and has the shop forget what was sent. */
export const cancelUpload = (id: string, reason: string) =>
  writeDesk<Upload>(`${path(id)}/cancel`, { reason });

export type Part = { id: string; file: number; part: number; sha256: string };

/** Sends a part of a file. */
export const sendPart = ({ id, file, part, sha256 }: Part, bytes: ArrayBuffer, signal: AbortSignal) =>
  sendBytes(`${path(id)}/files/${file}/parts/${part}?sha256=${sha256}`, bytes, signal);
