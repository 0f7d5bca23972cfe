import type { Config } from "./config";

/**
 * Fields that a log line may carry. The list is what keeps keys, tokens, addresses and query
 * strings out of the log: a field that is not named here cannot be written.
 */
export type LogFields = Partial<{
  request: string;
  method: string;
  route: string;
  status: number;
  milliseconds: number;
  account: string;
  licence: string;
  payment: string;
  job: string;
  topic: string;
  attempts: number;
  count: number;
  code: string;
  reason: string;
  url: string;
}>;

type Level = Config["logLevel"];
export type Log = Record<Level, (message: string, fields?: LogFields) => void>;

const order: Level[] = ["debug", "info", "warn", "error"];

/** One JSON line an event on standard output. */
export function createLog(
  level: Level,
  write = (line: string) => void process.stdout.write(`${line}\n`),
): Log {
  const at =
    (mine: Level) =>
    (message: string, fields: LogFields = {}) => {
      if (order.indexOf(mine) < order.indexOf(level)) return;
      write(JSON.stringify({ time: new Date().toISOString(), level: mine, message, ...fields }));
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/**
 * What may be said of a failure in the log: its class and its machine code, never its message,
 * which may hold what a person typed.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const code = "code" in error && typeof error.code === "string" ? ` ${error.code}` : "";
  const cause = error.cause instanceof Error ? ` ← ${reasonOf(error.cause)}` : "";
  return `${error.name}${code}${cause}`;
}
