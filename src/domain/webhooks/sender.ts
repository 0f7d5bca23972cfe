import type { UrlProblem } from "./endpoint-url";

/** Sends one webhook once; the gateway in src/gateways/webhooks. Never rejects. */
export type WebhookSender = { send: (request: WebhookRequest) => Promise<SendResult> };

export type WebhookRequest = {
  /** As it was stored; checked again. */
  url: string;
  /** Beside those of the connection and the body's length, which the gateway adds. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Breaks the try off, as when the shop stops. */
  signal?: AbortSignal;
};

/** What became of one try. `milliseconds`: from its beginning to the answer's end or the failure. */
export type SendResult =
  | ({ kind: "answered"; milliseconds: number } & Answer)
  /** The receiver was never asked. */
  | { kind: "not_sent"; why: NotSent; detail: string; milliseconds: number }
  /** A connection was tried; the receiver may have got the webhook. */
  | { kind: "failed"; why: Failure; detail: string; milliseconds: number };

/** Whether the receiver took it: any 2xx. */
export const isSuccess = (result: SendResult): boolean =>
  result.kind === "answered" && result.status >= 200 && result.status < 300;

/** Any status that is final, redirects and 101 included: which of them is a success is the caller's to say. */
export type Answer = {
  status: number;
  /** The first 1 kB as UTF-8, as far as it came; control characters replaced. */
  body: string;
  /** What `Retry-After` asks for, in milliseconds from now, without a limit; null if it doesn't. */
  retryAfter: number | null;
};

/** `url_…`: the URL is none that {@link checkUrl} accepts. `inner_address`: not listed as globally reachable. */
export type NotSent =
  | `url_${UrlProblem}`
  /** The resolver says that there is no such name, or no address of it. */
  | "name_not_found"
  /** The resolver did not answer, or not in time. */
  | "name_unanswered"
  /** At least one of the name's addresses is a private one; `detail` names it. */
  | "inner_address"
  /** In the demo: at least one of them is not this machine's; `detail` names it. */
  | "not_this_machine"
  /** Broken off by the signal before there was a connection to ask by. */
  | "stopped";

export type Failure =
  | "refused"
  | "unreachable"
  /** Its certificate is not of that name, has expired, or is of an unknown authority; `detail` says which. */
  | "certificate"
  /** It speaks no TLS, or none that we speak. */
  | "tls"
  /** `detail` says at which step. */
  | "timed_out"
  /** The receiver closed the connection before it answered. */
  | "closed"
  /** What it sent is not HTTP, or its headers are larger than 16 kB. */
  | "not_http"
  | "stopped";
