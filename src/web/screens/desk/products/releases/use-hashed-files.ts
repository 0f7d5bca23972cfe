import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { useEffect, useRef, useState } from "react";
import { isPassedOver } from "@/contract/vocabulary/build-names";
import type { Platform } from "@/contract/vocabulary/builds";

/** A chosen file while its SHA-256 is made, and once it is. */
export type HashedFile = {
  id: string;
  file: File;
  /** What it is for; undefined: what its name says. */
  platform: Platform | undefined;
  /** How many bytes are hashed. */
  done: number;
  sha256: string | null;
  problem: string | null;
};

let last = 0;

/** Of a chosen folder, the name of a file in it, or of the folder in it that holds the file. */
function nameOf({ name, webkitRelativePath = "" }: { name: string; webkitRelativePath?: string }): string {
  const [, inside = name, ...deeper] = webkitRelativePath.split("/");
  return deeper.length > 0 ? `${inside}/` : inside;
}

/** The files of a release. Each is hashed as soon as it is chosen, one after the other. */
export function useHashedFiles() {
  const [files, setFiles] = useState<HashedFile[]>([]);
  const [passedOver, setPassedOver] = useState<readonly string[]>([]);
  const queue = useRef(Promise.resolve());
  const gone = useRef(new Map<string, AbortController>());
  useEffect(() => {
    const all = gone.current;
    return () => {
      for (const stop of all.values()) stop.abort();
    };
  }, []);
  const change = (id: string, to: Partial<HashedFile>) =>
    setFiles((known) => known.map((one) => (one.id === id ? { ...one, ...to } : one)));
  const hash = async (id: string, file: File, signal: AbortSignal) => {
    try {
      change(id, { sha256: await sha256OfFile(file, (done) => change(id, { done }), signal) });
    } catch {
      if (!signal.aborted) change(id, { problem: `${file.name} can't be read` });
    }
  };
  const add = (chosen: readonly File[]) => {
    const isBuild = (file: File) => !isPassedOver(nameOf(file));
    const others = chosen.filter((file) => !isBuild(file)).map(nameOf);
    setPassedOver((known) => [...new Set([...known, ...others])].filter((name) => !name.startsWith(".")));
    for (const file of chosen.filter(isBuild)) {
      const id = `file-${++last}`;
      const stop = new AbortController();
      gone.current.set(id, stop);
      const problem = file.size === 0 ? `${file.name} is empty` : null;
      setFiles((known) => [...known, { id, file, platform: undefined, done: 0, sha256: null, problem }]);
      if (problem === null)
        queue.current = queue.current.then(() =>
          stop.signal.aborted ? undefined : hash(id, file, stop.signal),
        );
    }
  };
  const remove = (id: string) => {
    gone.current.get(id)?.abort();
    setFiles((known) => known.filter((one) => one.id !== id));
  };
  return {
    files,
    /** The names of what was chosen and is no build; folders end in a slash. */
    passedOver,
    add,
    remove,
    choose: (id: string, platform: Platform | undefined) => change(id, { platform }),
  };
}

/** As much as is hashed without letting the page draw. */
const chunkBytes = 1024 * 1024;

/** The SHA-256 of a file of any size, which the browser's own digest could only make of a file held in memory. */
async function sha256OfFile(
  file: Blob,
  onBytes: (done: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const hash = sha256.create();
  for (let at = 0; at < file.size; at += chunkBytes) {
    signal.throwIfAborted();
    hash.update(new Uint8Array(await file.slice(at, at + chunkBytes).arrayBuffer()));
    onBytes(Math.min(at + chunkBytes, file.size));
  }
  return bytesToHex(hash.digest());
}
