import type Stripe from "stripe";
import type { DisputeEvidence } from "@/domain/payments/checkout/checkout";
import { paidBeside } from "./invoice-payments";

/** The statuses in which a dispute accepts evidence: https://docs.stripe.com/disputes/responding */
const waiting: ReadonlySet<string> = new Set(["needs_response", "warning_needs_response"]);

/** Submits the evidence to every dispute of a payment that awaits it; a submission is final. */
export async function contest(stripe: Stripe, intentId: string, evidence: DisputeEvidence): Promise<number> {
  const [one, ...others] = await paidBeside(stripe, intentId);
  const ids = one ? [one, ...others].map(({ id }) => id) : [intentId];
  const lists = ids.map((payment_intent) => stripe.disputes.list({ payment_intent, limit: 100 }));
  const open = (await Promise.all(lists)).flatMap(({ data }) =>
    data.filter(({ status }) => waiting.has(status)),
  );
  for (const { id } of open) await stripe.disputes.update(id, { evidence, submit: true });
  return open.length;
}
