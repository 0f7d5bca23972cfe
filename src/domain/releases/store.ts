import { refusedByCopy } from "@/core/database/restored-copy";

/** A stored file. `body` streams the bytes from `start` up to but not including `end`. */
export type StoredBuild = {
  size: number;
  body(start: number, end: number): Blob | ReadableStream<Uint8Array>;
};

/** A file that is read from its beginning, as often as needed. */
export type ReadableFile = { readonly size: number; stream(): ReadableStream<Uint8Array> };

/**
 * Stores builds or, in a second instance, the files of tickets: a folder or a bucket. A file's address is its SHA-256
 * in hexadecimal, so an address always means the same bytes and storing a file twice is harmless.
 */
export type BuildStore = {
  /** Stores a file; resolves when it is complete and durable at its address. */
  keep(address: string, file: ReadableFile): Promise<void>;
  /** The file at an address, or null. */
  find(address: string): Promise<StoredBuild | null>;
  /** The size of the file in its permanent store, or null; fetches nothing. */
  sizeOf(address: string): Promise<number | null>;
  /** Deletes a file, if it exists. */
  remove(address: string): Promise<void>;
  /** Whether that many bytes fit on the disk and leave enough for the database. */
  hasSpace(bytes: number): Promise<boolean>;
};

/** The store looks up nothing else. */
export const isAddress = (text: string) => /^[0-9a-f]{64}$/.test(text);

/** The store for a restored copy: the original shop may be using the same store. */
export const storeOfCopy = (store: BuildStore): BuildStore => ({ ...store, keep: refuse, remove: refuse });

const refuse = () => Promise.reject(refusedByCopy());
