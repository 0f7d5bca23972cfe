/** A stored file. `body` gives the bytes from `start` up to, not including, `end`, without holding them. */
export type StoredBuild = {
  size: number;
  body(start: number, end: number): Blob | ReadableStream<Uint8Array>;
};

/**
 * Where the bytes of builds are, and in another of them those of tickets' files: a folder or a bucket. A file's
 * address is its SHA-256 in hexadecimal, so that one name always means the same bytes and keeping a file twice
 * is harmless.
 */
export type BuildStore = {
  /** Takes a file in; resolves when it is whole and durable under its address, and never half. */
  keep(address: string, file: Blob): Promise<void>;
  /** The file at an address, or null where there is none. */
  find(address: string): Promise<StoredBuild | null>;
  /** Takes a file away; where there is none, nothing happens. */
  remove(address: string): Promise<void>;
  /** Whether there is space for so many bytes, and enough left for the database. */
  hasSpace(bytes: number): Promise<boolean>;
};

/** Anything else is no address, and nothing is looked up for it. */
export const isAddress = (text: string) => /^[0-9a-f]{64}$/.test(text);
