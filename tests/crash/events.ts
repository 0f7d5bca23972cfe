import { createHmac } from "node:crypto";

export type StripeEvent = { id: string; type: string; created: number; data: { object: { id: string } } };

/** The newest events of the simulator, oldest first. */
export async function eventsOf(stripeUrl: string, secretKey: string, limit = 100): Promise<StripeEvent[]> {
  const answer = await fetch(`${stripeUrl}/v1/events?limit=${limit}`, {
    headers: { authorization: `Bearer ${secretKey}` },
  });
  return ((await answer.json()) as { data: StripeEvent[] }).data.toReversed();
}

/** Delivers an event as Stripe would, signed now. Resolves to the status of the answer. */
export async function deliver(event: StripeEvent, webhookUrl: string, secret: string): Promise<number> {
  const body = JSON.stringify(event);
  const at = Math.floor(Date.now() / 1000);
  const v1 = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
  const answer = await fetch(webhookUrl, {
    method: "POST",
    headers: { "content-type": "application/json", "stripe-signature": `t=${at},v1=${v1}` },
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
}
