import { resolve, sep } from "node:path";
import { DrizzleQueryError } from "drizzle-orm";
import { type LogFields, reasonOf } from "./log";

/** Enough to see who asked for what failed; the rest is in the request's other lines. */
const mostPlaces = 3;
const root = resolve(import.meta.dir, "../../..") + sep;

/**
 * What the log says about an unexpected error: its class, and where in our own code it arose, innermost first; nothing
 * that a person typed.
 */
export function failureOf(error: unknown): Pick<LogFields, "reason" | "at"> {
  const places = [...queriedTables(error), ...ownFiles(error)].slice(0, mostPlaces);
  return { reason: reasonOf(error), ...(places.length > 0 ? { at: places.join(" ← ") } : {}) };
}

/** A query builder's stack ends before its caller. Values are never in the query's text. */
function queriedTables(error: unknown): string[] {
  if (!(error instanceof DrizzleQueryError)) return [];
  const [, table] = /\b(?:from|into|update) "(\w+)"/i.exec(error.query) ?? [];
  return table === undefined ? [] : [`query of ${table}`];
}

/** The innermost line of each of our files in the stack, or in the cause's stack if it names none. */
function ownFiles(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { stack = "", message, cause } = error;
  // the message comes first, and may have lines that look like frames
  const frames = stack.slice(stack.indexOf(message) + message.length).split("\n");
  const found = new Map<string, string>();
  for (const frame of frames) {
    const [, file = "", line = ""] = /^\s+at (?:.* \()?(\/.*|[A-Z]:\\.*):(\d+):\d+\)?$/.exec(frame) ?? [];
    if (!file.startsWith(root) || file.includes("node_modules") || found.has(file)) continue;
    found.set(file, `${file.slice(root.length)}:${line}`);
  }
  return found.size > 0 ? [...found.values()] : ownFiles(cause);
}
