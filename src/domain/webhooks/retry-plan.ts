import { day, hour, minute, second } from "@/contract/vocabulary/time";

/** Pauses after each failed try, from its end: https://github.com/standard-webhooks/standard-webhooks, "Retries". */
const pauses = [5 * second, 5 * minute, 30 * minute, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour)];
const jitter = 0.2;
const longestWait = day;

/**
 * How long to wait after the try of this number, the first being 1; null if it was the last. The pauses vary by a
 * fifth, so that what failed together does not come back together. `Retry-After` (milliseconds) only lengthens them, to
 * a day at most. `random`: from 0 to 1.
 */
export function pauseAfter(tries: number, retryAfter: number | null, random: number): number | null {
  const pause = pauses[tries - 1];
  if (pause === undefined) return null;
  const varied = pause * (1 + jitter * (2 * random - 1));
  return Math.max(varied, Math.min(retryAfter ?? 0, longestWait));
}

/** An endpoint that has failed for this long since its last success is disabled. */
export const disabledAfter = 72 * hour;
