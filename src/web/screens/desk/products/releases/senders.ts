import { useSyncExternalStore } from "react";
import type { Upload } from "@/contract/wire/desk/releases";
import { minute, second } from "@/contract/vocabulary/time";
import { NotConfirmed } from "../../../../api/desk/call";
import { publishUpload, readUpload, sendPart } from "../../../../api/desk/uploads";
import { Refused, Unreachable } from "../../../../api/client";
import { sha256OfPart } from "./sha256";

/** The chosen files of an upload, by their numbers in it. */
export type FilesByNumber = ReadonlyMap<number, File>;

/**
 * How this page's sending of an upload is. `waiting`: the line is lost or the shop is busy, and it goes on by itself.
 * `stopped`: it can't go on by itself. `arrived`: everything is there, and was not published by this page.
 */
export type Sending = {
  state: "sending" | "waiting" | "paused" | "stopped" | "arrived" | "finished";
  problem: Error | null;
  /** The missing parts of each file, by its number. */
  missing: ReadonlyMap<number, number>;
};

type Sender = {
  files: FilesByNumber;
  /** Why it is published; null: somebody presses Publish. */
  reason: string | null;
  sending: Sending;
  stop: AbortController;
  /** Called when the shop's own view of the upload has changed. */
  onChange: () => void;
};

/** By the upload's id. They live as long as the page, so that sending goes on while somebody looks at something else. */
const senders = new Map<string, Sender>();
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** How this page's sending of an upload is; undefined if this page doesn't have its files. */
export const useSending = (id: string): Sending | undefined =>
  useSyncExternalStore(subscribe, () => senders.get(id)?.sending);

function show(sender: Sender, change: Partial<Sending>) {
  sender.sending = { ...sender.sending, ...change };
  for (const listener of listeners) listener();
}

/** Sends what is missing of an upload, and publishes it if there is a reason. */
export function startSending(
  upload: Upload,
  of: { files: FilesByNumber; reason: string | null; onChange: () => void },
) {
  senders.get(upload.id)?.stop.abort();
  const sending: Sending = { state: "sending", problem: null, missing: countsOf(upload) };
  const sender: Sender = { ...of, sending, stop: new AbortController() };
  senders.set(upload.id, sender);
  goOn(upload.id);
}

/** Goes on after a pause, or tries again after a problem. */
export function goOn(id: string) {
  const sender = senders.get(id);
  if (!sender) return;
  sender.stop.abort();
  sender.stop = new AbortController();
  void run(id, sender, sender.stop.signal);
}

export function pause(id: string) {
  const sender = senders.get(id);
  if (!sender) return;
  sender.stop.abort();
  show(sender, { state: "paused", problem: null });
}

/** Forgets an upload's files, because it is over. */
export function forgetSending(id: string) {
  senders.get(id)?.stop.abort();
  senders.delete(id);
  for (const listener of listeners) listener();
}

const countsOf = ({ files }: Upload) => new Map(files.map(({ file, missing }) => [file, missing.length]));

async function run(id: string, sender: Sender, signal: AbortSignal) {
  let failures = 0;
  for (;;) {
    show(sender, { state: "sending", problem: null });
    try {
      await sendMissing(id, sender, { signal, onPart: () => (failures = 0) });
      return await publish(id, sender, signal);
    } catch (problem) {
      if (signal.aborted || !(problem instanceof Error)) return;
      const wait = waitAfter(problem, failures++);
      show(sender, { state: wait === null ? "stopped" : "waiting", problem });
      if (wait === null) return sender.onChange();
      await waited(wait, signal);
      if (signal.aborted) return;
    }
  }
}

/** Asks what is missing and sends it, part by part. */
async function sendMissing(
  id: string,
  sender: Sender,
  { signal, onPart }: { signal: AbortSignal; onPart: () => void },
) {
  const upload = await readUpload(id);
  signal.throwIfAborted();
  show(sender, { missing: countsOf(upload) });
  for (const { file, name, missing } of upload.files) {
    const from = sender.files.get(file);
    if (!from && missing.length > 0) throw new Error(`Choose ${name} too: parts of it are missing`);
    for (const [at, part] of missing.entries()) {
      const start = part * upload.part_bytes;
      const bytes = await bytesOf(from, start, start + upload.part_bytes);
      const sha256 = await sha256OfPart(bytes);
      signal.throwIfAborted();
      await sendPart({ id, file, part, sha256 }, bytes, signal);
      signal.throwIfAborted();
      onPart();
      show(sender, { missing: new Map(sender.sending.missing).set(file, missing.length - at - 1) });
    }
  }
}

async function bytesOf(file: File | undefined, start: number, end: number): Promise<ArrayBuffer> {
  try {
    return await (file ?? new Blob()).slice(start, end).arrayBuffer();
  } catch (cause) {
    throw new Error(`${file?.name} can no longer be read: choose it again`, { cause });
  }
}

async function publish(id: string, sender: Sender, signal: AbortSignal) {
  if (sender.reason === null) show(sender, { state: "arrived" });
  else
    try {
      await publishUpload(id, sender.reason);
      if (!signal.aborted) show(sender, { state: "finished" });
    } catch (problem) {
      // nobody typed the code: the card offers to publish
      if (!(problem instanceof NotConfirmed)) throw problem;
      show(sender, { state: "arrived" });
    }
  sender.onChange();
}

/** How often the same thing may fail in a row before somebody must look at it. */
const mostFailures = 3;

/** How long to wait after a failure; null if waiting doesn't help. */
function waitAfter(problem: Error, failures: number): number | null {
  const patient = Math.min(second * 2 ** failures, minute / 2);
  if (problem instanceof Unreachable) return patient;
  if (!(problem instanceof Refused)) return null;
  const { code, status, retryAt } = problem;
  if (status === 429) return Math.max(second, (retryAt ?? 0) - Date.now());
  if (status >= 500) return patient;
  const isOfParts = code === "part_damaged" || code === "upload_incomplete" || code === "conflict";
  return isOfParts && failures < mostFailures ? 0 : null;
}

/** Resolves after the time, once the browser has its line back, or when nobody wants it any more. */
const waited = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
