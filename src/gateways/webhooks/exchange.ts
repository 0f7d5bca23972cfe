import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import type { Readable } from "node:stream";
import { hostOf } from "@/domain/webhooks/endpoint-url";
import type { Answer, Failure, WebhookRequest } from "@/domain/webhooks/sender";
import type { Address } from "@/core/base/look-up";
import { second } from "@/contract/vocabulary/time";
import { oneLine } from "@/contract/vocabulary/plain-words";

type Exchange = {
  url: URL;
  /** Already checked; the connection goes to one of them. */
  addresses: Address[];
  request: WebhookRequest;
  /** Ends the exchange at any step. */
  over: Promise<"timed_out" | "stopped">;
  now: () => Date;
};

type FailedExchange = { kind: "failed"; why: Failure; detail: string };

/**
 * Sends one request, and leaves no connection open.
 *
 * Uses `node:https` without an agent. With Bun 1.4.5, it connects to `lookup`'s addresses, one after the other, and
 * checks the certificate against the name; it trusts NODE_EXTRA_CA_CERTS; unlike `fetch`, it reads no proxy from the
 * environment; more than 16 kB of headers, trailers or chunk extensions fail the request. It has no overall deadline,
 * hands over the socket of a 101, and reads interim answers without end, so this function limits all three.
 */
export async function exchange({
  url,
  addresses,
  request,
  over,
  now,
}: Exchange): Promise<({ kind: "answered" } & Answer) | FailedExchange> {
  const call = open(url, addresses, request.headers, Buffer.byteLength(request.body));
  const progress = { step: "connecting" };
  const head = headOf(call, progress);
  call.end(request.body);
  try {
    const found = await Promise.race([head, over]);
    if (typeof found === "string") return failure(found, progress.step);
    if ("kind" in found) return found;
    const status = found.statusCode ?? 0;
    const retryAfter = retryAfterMilliseconds(found.headers["retry-after"], now());
    return { kind: "answered", status, body: await firstKilobyte(found, over), retryAfter };
  } finally {
    call.destroy();
  }
}

function open(url: URL, addresses: Address[], headers: WebhookRequest["headers"], bytes: number) {
  const host = hostOf(url);
  const { request } = url.protocol === "https:" ? https : http;
  return request({
    method: "POST",
    host,
    port: url.port || (url.protocol === "https:" ? 443 : 80),
    path: url.pathname + url.search,
    headers: { ...headers, host: url.host, "content-length": bytes, connection: "close" },
    agent: false,
    lookup: (_name, { all }, answer) => {
      if (all) answer(null, addresses);
      else answer(null, addresses[0]?.address ?? "", addresses[0]?.family);
    },
    maxHeaderSize: 16_384,
    // no server name for a bare address; NODE_TLS_REJECT_UNAUTHORIZED must not turn the check off
    ...(url.protocol === "https:" && { servername: isIP(host) ? "" : host, rejectUnauthorized: true }),
  });
}

/** Interim answers (1xx) in one try; no well-meaning server sends more. */
const mostInterim = 20;

/** The head of the final answer, or why there is none. Updates `progress`. */
function headOf(call: ClientRequest, progress: { step: string }): Promise<IncomingMessage | FailedExchange> {
  let interim = 0;
  return new Promise((resolve) => {
    call.on("socket", (socket) => {
      socket.on("connect", () => (progress.step = "encrypted" in socket ? "agreeing on TLS" : awaiting));
      socket.on("secureConnect", () => (progress.step = awaiting));
    });
    call.on("information", () => {
      if (++interim > mostInterim) resolve(failure("not_http", "interim answers without end"));
      if (interim > mostInterim) call.destroy();
    });
    call.on("response", resolve);
    call.on("upgrade", (answer, socket) => {
      socket.destroy();
      answer.destroy();
      resolve(answer);
    });
    // ignores errors after the outcome, such as from destroying the call
    call.on("error", (error) => resolve({ kind: "failed", ...failureOf(error, progress.step) }));
  });
}

const awaiting = "waiting for the answer";
const failure = (why: Failure, detail: string): FailedExchange => ({ kind: "failed", why, detail });

/**
 * How long an answer asks to wait, in milliseconds from `now`, by its `Retry-After` (RFC 9110 §10.2.3): seconds, or a
 * date. Null where there is none or it can't be read; 0 for a date that is past. Not limited: that is the caller's.
 */
export function retryAfterMilliseconds(header: string | undefined, now: Date): number | null {
  const value = header?.trim() ?? "";
  // ten digits are three hundred years
  if (/^\d+$/.test(value)) return Number(value.slice(0, 10)) * second;
  const at = httpDate.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}

/** `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7); nobody sends the two obsolete forms any more. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Why a connection or its answer failed, by the codes of Bun 1.4.5; `step`: how far the exchange got. */
function failureOf(error: unknown, step: string): { why: Failure; detail: string } {
  const cause = error instanceof AggregateError ? (error.errors.at(-1) as unknown) : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const why = causes.find(([pattern]) => pattern.test(code))?.[1] ?? "closed";
  // the receiver controls the names in its certificate
  if (why === "certificate" && cause instanceof Error)
    return { why, detail: oneLine(cause.message).slice(0, 200) };
  return { why, detail: why === "closed" ? step : code };
}

const causes: [pattern: RegExp, why: Failure][] = [
  [/^ECONNREFUSED$/, "refused"],
  [/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|ETIMEDOUT|EADDRNOTAVAIL|EACCES|EPERM|EINVAL)$/, "unreachable"],
  [/CERT|^UNABLE_TO_|HOSTNAME_MISMATCH|^INVALID_CA$|^INVALID_PURPOSE$/, "certificate"],
  [/^(ERR_SSL_|EPROTO)/, "tls"],
  [/^HPE_/, "not_http"],
];

const most = 1_024;

/**
 * The first 1 kB of an answer as UTF-8, without half a character at its end, and with control characters replaced.
 * Stops reading there; an answer that breaks off or takes too long counts as far as it came.
 */
async function firstKilobyte(answer: Readable, over: Promise<unknown>): Promise<string> {
  const read: Buffer[] = [];
  let bytes = 0;
  const ended = new Promise<void>((resolve) => {
    answer.on("data", (piece: Buffer) => {
      if (bytes < most) read.push(piece.subarray(0, most - bytes));
      bytes += piece.length;
      if (bytes < most) return;
      answer.pause();
      resolve();
    });
    for (const end of ["end", "error", "close"]) answer.on(end, () => resolve());
    // Bun has already closed the socket of a 101
    if (answer.destroyed) resolve();
  });
  await Promise.race([ended, over]);
  answer.destroy();
  return asText(Buffer.concat(read));
}

const asText = (bytes: Buffer) =>
  new TextDecoder().decode(bytes, { stream: true }).replace(/(?![\t\r\n])\p{Cc}/gu, "\ufffd");
