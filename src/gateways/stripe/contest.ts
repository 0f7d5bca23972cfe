import type Stripe from "stripe";
import type { DisputeEvidence } from "@/domain/payments/checkout";

/** The statuses in which a dispute accepts evidence: https://docs.stripe.com/disputes/responding */
const waiting: ReadonlySet<string> = new Set(["needs_response", "warning_needs_response"]);

/** Submits the evidence, which is final, to every dispute of a payment that awaits it. */
export async function contest(stripe: Stripe, intentId: string, evidence: DisputeEvidence): Promise<number> {
  const open = await openDisputes(stripe, intentId);
  for (const { id } of open) await stripe.disputes.update(id, { evidence, submit: true });
  return open.length;
}

/** The earliest deadline of these disputes. */
export async function answerBy(stripe: Stripe, intentId: string): Promise<Date | null> {
  const open = await openDisputes(stripe, intentId);
  const dates = open.flatMap(({ evidence_details: details }) => details.due_by ?? []);
  return dates.length > 0 ? new Date(Math.min(...dates) * 1000) : null;
}

async function openDisputes(stripe: Stripe, intentId: string): Promise<Stripe.Dispute[]> {
  const { data } = await stripe.disputes.list({ payment_intent: intentId, limit: 100 });
  return data.filter(({ status }) => waiting.has(status));
}
