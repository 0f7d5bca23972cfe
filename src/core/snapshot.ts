import { constants, setPriority } from "node:os";
import { fileClient } from "./file-client";
import { type Head, sealed } from "./sealed-file";

/** What it is told on standard input, as JSON, so that no key stands among a process's arguments. */
export type SnapshotOrder = {
  database: string;
  /** Where the copy lies meanwhile, beside the database. */
  copy: string;
  /** 32 bytes in base64. */
  key: string;
  head: Omit<Head, "nonce">;
};

/** What it tells its parent: first that the copy is made, then how much of it is sealed, in bytes. */
export type SnapshotProgress = { done: number; total: number };

/**
 * `bun snapshot.ts`: copies a database as it is at one moment, while others write to it (`VACUUM INTO` reads
 * one snapshot of the WAL), and writes the copy sealed to standard output. A program of its own, because the
 * database works in the thread that asks it and sealing takes a processor's whole time: a shop that did either
 * would keep its customers waiting.
 */
const order = (await Bun.stdin.json()) as SnapshotOrder;
// whoever buys goes first
setPriority(constants.priority.PRIORITY_LOW);
// a copy of the database that nothing seals
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
