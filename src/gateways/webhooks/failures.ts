import { oneLine } from "@/contract/vocabulary/plain-words";
import type { Failure } from "@/domain/webhooks/sender";

/** Why a connection or its answer failed, by the codes of Bun 1.4.5; `step`: how far the exchange got. */
export function failureOf(error: unknown, step: string): { why: Failure; detail: string } {
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
