import { LibsqlError } from "@libsql/client";
import { isTimeout } from "./database-line";

/** Failures of the database itself; any other failure is a fault in the statement. */
const broken =
  /^(SQLITE_(FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB|PROTOCOL|NOMEM)|SERVER_ERROR|HRANA_|UNKNOWN)/;

/**
 * `busy`: another connection writes. `replaced`: another call replaced the connection under this one.
 * `broken`: the disk, the file, the server or the line to it failed. Null: none of these.
 */
export function faultOf(error: unknown): "busy" | "replaced" | "broken" | null {
  if (error instanceof LibsqlError) {
    if (error.code.startsWith("SQLITE_BUSY") || error.code.startsWith("SQLITE_LOCKED")) return "busy";
    if (error.code === "CLIENT_CLOSED") return "replaced";
    return broken.test(error.code) ? "broken" : null;
  }
  if (!(error instanceof Error)) return null;
  if (isTimeout(error)) return "broken";
  // fetch could not reach the database server
  if (error instanceof TypeError && /fetch|connect/i.test(error.message)) return "broken";
  return error.cause === undefined ? null : faultOf(error.cause);
}

/** The database's fault as a sentence for the operator; `passes` if it may clear without a changed setting. */
export type DatabaseFault = { sentence: string; passes: boolean };

const cantBeOpened = "the file can't be opened: check its path, its disk and its permissions";
const kinds: [pattern: RegExp, trouble: DatabaseFault][] = [
  [
    /DatabaseFileLost/,
    {
      sentence:
        "the database file was deleted or replaced: stop the shop, because what it stores now is lost, and restore the file",
      passes: false,
    },
  ],
  [/SQLITE_(CORRUPT|NOTADB)/, { sentence: "the file is damaged", passes: false }],
  [/SQLITE_(BUSY|LOCKED)/, { sentence: "another process holds it locked", passes: true }],
  [/SQLITE_FULL|ENOSPC|EDQUOT/, { sentence: "the disk is full", passes: true }],
  [
    /SQLITE_IOERR|\bEIO\b|ESTALE|ENOTCONN|ENXIO|ENODEV/,
    { sentence: "the disk is full or failing", passes: true },
  ],
  [/SQLITE_READONLY|EROFS/, { sentence: "the file or its disk is read-only", passes: false }],
  [/SQLITE_PERM|EACCES|EPERM|ENOENT|ENOTDIR|EISDIR/, { sentence: cantBeOpened, passes: false }],
  // SQLite reports this too when there is no room for its side files
  [/SQLITE_CANTOPEN|ConnectionFailed/, { sentence: cantBeOpened, passes: true }],
  [
    /SERVER_ERROR.{0,80}\b40[13]\b|UNAUTHORIZED/i,
    { sentence: "the server refuses DATABASE_AUTH_TOKEN", passes: false },
  ],
  [/SERVER_ERROR.{0,80}\b40[45]\b/, { sentence: "there is no database at that address", passes: false }],
  [/TimeoutError/, { sentence: "the server doesn't answer", passes: true }],
  [/ENOTFOUND|EAI_AGAIN|ENODATA/, { sentence: "the server's name is not found", passes: true }],
  [
    /ConnectionRefused|ECONNREFUSED|ConnectionClosed|ECONNRESET|ENETUNREACH|EHOSTUNREACH|TypeError.{0,80}(fetch|connect)/i,
    { sentence: "the server can't be reached", passes: true },
  ],
  [/SERVER_ERROR|HRANA_|WEBSOCKET/, { sentence: "the server fails", passes: true }],
];

/** Null where the error is not the database's. */
export function databaseFault(error: unknown): DatabaseFault | null {
  const chain = causes(error);
  return kinds.find(([pattern]) => chain.some((one) => pattern.test(one)))?.[1] ?? null;
}

const causes = (error: unknown): string[] =>
  error instanceof Error
    ? [`${error.name} ${"code" in error ? String(error.code) : ""} ${error.message}`, ...causes(error.cause)]
    : [];
