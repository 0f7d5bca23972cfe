import { constants, setPriority } from "node:os";
import { copyTable, countRows, schemaOf, tablesIn } from "../database/copy-rows";
import { connectTo } from "../database/database";
import { fileClient } from "../database/file-client";
import { fileOf } from "../settings/storage-location";
import { type Head, sealStream } from "./sealed-file";

/** A database, and where to keep its temporary copy during a backup. */
export type BackedUp = { url: string; authToken?: string | undefined; copy: string };

/** Read from standard input as JSON. */
export type SnapshotOrder = {
  database: BackedUp;
  /** Of the age identity that opens it. */
  recipient: string;
  head: Head;
};

/** Sent to the parent: first when the copy is complete, then with the bytes encrypted so far. */
export type SnapshotProgress = { done: number; total: number };

/**
 * `bun snapshot.ts`: takes a consistent copy of a database while others write to it, and writes the copy encrypted to
 * standard output. A separate program, because SQLite blocks its thread and encryption uses a whole core: in the
 * shop's process, customers would wait.
 */
const order = (await Bun.stdin.json()) as SnapshotOrder;
// customers come first
setPriority(constants.priority.PRIORITY_LOW);
// the copy is not encrypted
process.umask(0o077);
const report = (progress: SnapshotProgress) => void process.send?.(progress);
try {
  const { copy } = order.database;
  await (fileOf(order.database.url) ? copyFile(order.database) : copyServer(order.database));
  const source = Bun.file(copy);
  report({ done: 0, total: source.size });
  const out = Bun.stdout.writer();
  const progress = (done: number, total: number) => report({ done, total });
  for await (const piece of await sealStream(source, { ...order, progress })) {
    await out.write(piece);
    await out.flush();
  }
  await out.end();
} catch (error) {
  const code = error instanceof Error && "code" in error ? error.code : null;
  process.stderr.write(String(code ?? error));
  process.exitCode = 1;
}

/** `VACUUM INTO` reads one snapshot of the log. */
async function copyFile({ url, copy }: BackedUp): Promise<void> {
  const client = fileClient(fileOf(url) ?? "", 5_000);
  await client.execute({ sql: "VACUUM INTO ?", args: [copy] }).finally(() => client.close());
}

/** Reads all pages in one transaction, which sees the database as of its beginning. */
async function copyServer({ url, authToken, copy }: BackedUp): Promise<void> {
  const server = await connectTo({ url, authToken });
  const to = fileClient(copy, 5_000);
  try {
    // no journal: an interrupted copy is discarded
    await to.executeMultiple("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
    const from = await server.transaction("read");
    const objects = await schemaOf(from);
    const tables = await tablesIn(from, objects);
    const make = (kinds: string[]) =>
      to.migrate(objects.filter(({ kind }) => kinds.includes(kind)).map(({ sql }) => sql));
    await make(["table"]);
    for (const table of tables) await copyTable({ from, to }, table, () => {});
    await make(["index", "view", "trigger"]);
    if ((await countRows(to, tables)) !== (await countRows(from, tables)))
      throw new Error("rows are missing");
    from.close();
  } finally {
    to.close();
    server.close();
  }
}
