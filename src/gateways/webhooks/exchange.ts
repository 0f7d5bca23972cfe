import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { hostOf } from "@/domain/webhooks/endpoint-url";
import { retryAfterMilliseconds } from "@/domain/webhooks/retry-after";
import type { Answer, Failure, WebhookRequest } from "@/domain/webhooks/sender";
import { failureOf } from "./failures";
import { firstKilobyte } from "./first-kilobyte";
import type { Address } from "./look-up";

type Exchange = {
  url: URL;
  /** Checked; the connection is made to one of them. */
  addresses: Address[];
  request: WebhookRequest;
  /** Ends the exchange at whatever step it is. */
  over: Promise<"timed_out" | "stopped">;
  now: () => Date;
};

type Failed = { kind: "failed"; why: Failure; detail: string };

/**
 * Asks once, and leaves no connection behind.
 *
 * By `node:https` without an agent, as measured with Bun 1.4.5: it connects where `lookup` says, one address after the
 * other, and checks the certificate by the name; it trusts NODE_EXTRA_CA_CERTS; it reads no proxy from the
 * environment, as `fetch` does; headers, trailers and chunks' extensions end it at 16 kB. It has no deadline for the
 * whole, hands the socket of a 101 over, and reads interim answers without end: that is ended here.
 */
export async function exchange({
  url,
  addresses,
  request,
  over,
  now,
}: Exchange): Promise<({ kind: "answered" } & Answer) | Failed> {
  const call = open(url, addresses, request.headers, Buffer.byteLength(request.body));
  const progress = { step: "connecting" };
  const head = headOf(call, progress);
  call.end(request.body);
  try {
    const found = await Promise.race([head, over]);
    if (typeof found === "string") return failed(found, progress.step);
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
    // an address has no name to ask for, and NODE_TLS_REJECT_UNAUTHORIZED lifts nothing
    ...(url.protocol === "https:" && { servername: isIP(host) ? "" : host, rejectUnauthorized: true }),
  });
}

/** Interim answers (1xx) of one try; more are no server's that means well. */
const mostInterim = 20;

/** The head of the final answer, or why there is none. Notes how far it came. */
function headOf(call: ClientRequest, progress: { step: string }): Promise<IncomingMessage | Failed> {
  let interim = 0;
  return new Promise((resolve) => {
    call.on("socket", (socket) => {
      socket.on("connect", () => (progress.step = "encrypted" in socket ? "agreeing on TLS" : awaiting));
      socket.on("secureConnect", () => (progress.step = awaiting));
    });
    call.on("information", () => {
      if (++interim > mostInterim) resolve(failed("not_http", "interim answers without end"));
      if (interim > mostInterim) call.destroy();
    });
    call.on("response", resolve);
    call.on("upgrade", (answer, socket) => {
      socket.destroy();
      answer.destroy();
      resolve(answer);
    });
    // errors that come after the outcome, as when the call is destroyed, are nobody's
    call.on("error", (error) => resolve({ kind: "failed", ...failureOf(error, progress.step) }));
  });
}

const awaiting = "waiting for the answer";
const failed = (why: Failure, detail: string): Failed => ({ kind: "failed", why, detail });
