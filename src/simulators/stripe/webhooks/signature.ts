import { createHmac } from "node:crypto";

/** The `Stripe-Signature` of a payload: https://docs.stripe.com/webhooks#verify-manually. `at` in Unix seconds. */
export function signature(payload: string, secret: string, at: number): string {
  const v1 = createHmac("sha256", secret).update(`${at}.${payload}`).digest("hex");
  return `t=${at},v1=${v1}`;
}
