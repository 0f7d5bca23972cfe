import { constants, setPriority } from "node:os";
import { fileClient } from "./file-client";
import { type Head, sealed } from "./sealed-file";

/** Read from standard input as JSON, so that no key appears in a process's arguments. */
export type SnapshotOrder = {
  database: string;
  /** Where the temporary copy is kept, next to the database. */
  copy: string;
  /** 32 bytes in base64. */
  key: string;
  head: Omit<Head, "nonce">;
};

/** Sent to the parent: first when the copy is made, then the bytes encrypted so far. */
export type SnapshotProgress = { done: number; total: number };

/**
 * `bun snapshot.ts`: takes a consistent copy of a database while others write to it (`VACUUM INTO` reads one snapshot
 * of the WAL), and writes the copy encrypted to standard output. It is a separate program because SQLite blocks its
 * thread and encryption uses a whole core: if the shop did either, its customers would wait.
 */
const order = (await Bun.stdin.json()) as SnapshotOrder;
// customers come first
setPriority(constants.priority.PRIORITY_LOW);
// the copy is not encrypted
process.umask(0o077);
const tell = (progress: SnapshotProgress) => void process.send?.(progress);
const client = fileClient(order.database, 5_000);
try {
  await client.execute({ sql: "VACUUM INTO ?", args: [order.copy] });
  const source = Bun.file(order.copy);
  tell({ done: 0, total: source.size });
  const out = Bun.stdout.writer();
  const progress = (done: number, total: number) => tell({ done, total });
  const key = Buffer.from(order.key, "base64");
  for await (const piece of sealed(source, { key, head: order.head, progress })) {
    await out.write(piece);
    await out.flush();
  }
  await out.end();
} catch (error) {
  const code = error instanceof Error && "code" in error ? error.code : null;
  process.stderr.write(String(code ?? error));
  process.exitCode = 1;
} finally {
  client.close();
}
