import type { Attempt } from "../ledger/rows";
import { signature } from "./signature";

/** Where events go. `events` limits the types, as in Stripe's dashboard; without it, all are sent. */
export type Endpoint = { url: string; secret: string; events?: readonly string[] };

const patienceMs = 10_000;

/** One try. Only a 2xx counts as received; a redirect does not. Never throws. */
export async function send(endpoint: Endpoint, payload: string, nowMs: number): Promise<Attempt> {
  const at = Math.floor(nowMs / 1000);
  try {
    const response = await fetch(endpoint.url, {
      method: "POST",
      headers: {
        "content-type": "application/json; charset=utf-8",
        "stripe-signature": signature(payload, endpoint.secret, at),
        "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
      },
      body: payload,
      redirect: "manual",
      signal: AbortSignal.timeout(patienceMs),
    });
    return { at: nowMs, status: response.status, note: (await response.text()).slice(0, 200) };
  } catch (error) {
    return { at: nowMs, status: 0, note: error instanceof Error ? error.message : String(error) };
  }
}

export function received(attempt: Attempt): boolean {
  return attempt.status >= 200 && attempt.status < 300;
}
