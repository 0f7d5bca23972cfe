import { createHmac } from "node:crypto";
import type { Attempt } from "../ledger";

/** Where events go. */
export type Endpoint = { url: string; secret: string };

const patienceMs = 10_000;

/** One attempt, which never throws. Only a 2xx counts as received; a redirect does not. */
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

/** The `Stripe-Signature` of a payload: https://docs.stripe.com/webhooks#verify-manually. `at` in Unix seconds. */
function signature(payload: string, secret: string, at: number): string {
  const v1 = createHmac("sha256", secret).update(`${at}.${payload}`).digest("hex");
  return `t=${at},v1=${v1}`;
}
