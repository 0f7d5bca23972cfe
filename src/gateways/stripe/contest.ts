import type Stripe from "stripe";
import type { DisputeEvidence } from "@/domain/payments/checkout";

/** Statuses in which a dispute takes evidence: https://docs.stripe.com/disputes/responding */
const waiting: ReadonlySet<string> = new Set(["needs_response", "warning_needs_response"]);

/** Sends the evidence, for good, for every dispute of a payment that waits for it. */
export async function contest(stripe: Stripe, intentId: string, evidence: DisputeEvidence): Promise<number> {
  const disputes = await stripe.disputes.list({ payment_intent: intentId, limit: 100 });
  const open = disputes.data.filter(({ status }) => waiting.has(status));
  for (const { id } of open) await stripe.disputes.update(id, { evidence, submit: true });
  return open.length;
}
