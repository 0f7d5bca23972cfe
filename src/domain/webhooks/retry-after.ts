import { second } from "@/contract/vocabulary/time";

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
