import { currentTrace } from "./trace";

/**
 * The fields a log line may have, and their types. This list keeps keys, tokens, addresses and query strings out of
 * the log: a field that is not listed is not written.
 */
const kinds = {
  /** The id of the request, interaction or periodic run that caused the line, also for jobs that run later. */
  request: "string",
  method: "string",
  route: "string",
  status: "number",
  milliseconds: "number",
  job: "string",
  topic: "string",
  attempts: "number",
  count: "number",
  code: "string",
  reason: "string",
  /** Where in our own code it failed. */
  at: "string",
  kind: "string",
  name: "string",
  outcome: "string",
  url: "string",
  release: "string",
  account: "string",
  /** Whether a member should have the premium role, and whether they had it. */
  wanted: "string",
  found: "string",
  /**
   * About a staff notice: Stripe's id of the payment, minor units, masked keys, and the day by which to answer a
   * dispute.
   */
  payment: "string",
  amount: "number",
  /** `USD 5.00` */
  price: "string",
  currency: "string",
  key: "string",
  due: "string",
  /** The buyer's bank's reason for the dispute, in Stripe's words. */
  cause: "string",
  /** The whole text of a notice that is not about a payment, in the shop's or Stripe's words. */
  sentence: "string",
  /** A fingerprint of a network address. */
  source: "string",
} as const;

type Kinds = typeof kinds;
export type LogFields = Partial<{ [N in keyof Kinds]: Kinds[N] extends "number" ? number : string }>;

export type Level = "debug" | "info" | "warn" | "error";
export type Log = Record<Level, (message: string, fields?: LogFields) => void>;

const order: Level[] = ["debug", "info", "warn", "error"];

/** Writes one line of JSON per event to standard output. */
export function createLog(level: Level, write: (line: string, at: Level) => void = bufferedOutput()): Log {
  const at =
    (mine: Level) =>
    (message: string, fields: LogFields = {}) => {
      if (order.indexOf(mine) < order.indexOf(level)) return;
      const line = { time: new Date().toISOString(), level: mine, message, ...allowedFields(fields) };
      write(JSON.stringify(line), mine);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

function allowedFields(fields: LogFields): Record<string, string | number> {
  const trace = currentTrace();
  const kept: Record<string, string | number> = trace === null ? {} : { request: trace };
  for (const [name, value] of Object.entries(fields)) {
    if (Object.hasOwn(kinds, name) && typeof value === kinds[name as keyof Kinds]) kept[name] = value;
  }
  return kept;
}

/** How long a line waits for others: a thousand requests cause one write. */
const gatherMilliseconds = 20;
const mostGathered = 64 * 1024;

/** Writes warnings and errors to standard output at once, everything else in small batches. */
function bufferedOutput() {
  let gathered = "";
  let timer: Timer | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const text = gathered;
    gathered = "";
    if (text !== "") process.stdout.write(text);
  };
  process.on("exit", flush);
  return (line: string, at: Level) => {
    gathered += `${line}\n`;
    if (at === "warn" || at === "error" || gathered.length > mostGathered) flush();
    else timer ??= setTimeout(flush, gatherMilliseconds);
  };
}

/** An error whose message holds nothing that a person typed, so the log may show it. */
export class Explained extends Error {
  override name = "Explained";
}

/**
 * What the log says about a failure: its class and code. A message may contain what a person typed, so the log shows
 * only that of an {@link Explained}.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof Explained) return error.message;
  if (!(error instanceof Error)) return "unknown";
  const code = "code" in error && typeof error.code === "string" ? ` ${error.code}` : "";
  const cause = error.cause instanceof Error ? ` ← ${reasonOf(error.cause)}` : "";
  return `${error.name}${code}${cause}`;
}
