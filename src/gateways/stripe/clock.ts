import { clockOffset } from "@/core/jobs/clock-watch";

const timeoutMilliseconds = 10_000;

/**
 * Milliseconds by which Stripe's clock is at least ahead of this one; negative if it is behind, null if Stripe does
 * not answer.
 */
export async function stripeClockDifference(apiUrl: URL | null, now: () => Date): Promise<number | null> {
  const asked = now();
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  // every answer has a date, errors too: https://www.rfc-editor.org/rfc/rfc9110#name-date
  const url = new URL("/healthcheck", apiUrl ?? "https://api.stripe.com");
  const answer = await fetch(url, { signal, redirect: "manual" }).catch(() => null);
  const second = Date.parse(answer?.headers.get("date") ?? "");
  if (Number.isNaN(second)) return null;
  return clockOffset({ from: second, to: second + 999 }, { asked, answered: now() });
}
