import { statSync } from "node:fs";
import type { Client } from "@libsql/client";
import { databaseFault } from "./database-fault";
import type { Log } from "../log/log";

/**
 * A process can still read and write an open file that was deleted or replaced, and loses those writes when it ends.
 */
class DatabaseFileLost extends Error {
  override name = "DatabaseFileLost";
}

type Identity = { file: string; dev: bigint; ino: bigint };
const opened = new WeakMap<Client, Identity>();

/** Notes the file that a client has just opened. */
export function noteFile(client: Client, file: string): void {
  const { dev, ino } = statSync(file, { bigint: true });
  opened.set(client, { file, dev, ino });
}

/** Throws {@link DatabaseFileLost} if the client's file is no longer at its path; never for a server. */
export function expectSameFile(client: Client): void {
  const was = opened.get(client);
  if (!was) return;
  const now = statSync(was.file, { bigint: true, throwIfNoEntry: false });
  if (now?.ino !== was.ino || now.dev !== was.dev) throw new DatabaseFileLost();
}

/** Logs once that the file is lost, and again only after it was back. */
export function watchFile({ store: { client }, log }: { store: { client: Client }; log: Log }) {
  let warned = false;
  return {
    async check(): Promise<void> {
      try {
        expectSameFile(client);
        warned = false;
      } catch (error) {
        if (!(error instanceof DatabaseFileLost)) throw error;
        const reason = databaseFault(error)?.sentence;
        if (!warned) log.error("the database file was deleted or replaced", reason ? { reason } : {});
        warned = true;
      }
    },
  };
}
