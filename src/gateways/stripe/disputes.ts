import Stripe from "stripe";
import {
  CheckoutRefused,
  type DisputeEvidence,
  type DisputesAccepted,
  type DisputesAnswered,
} from "@/domain/payments/port/stripe";
import { translated } from "./errors";
import { paymentsOfSameInvoice } from "./invoice-payments";

/** The statuses in which a dispute accepts evidence: https://docs.stripe.com/disputes/responding */
const waiting: ReadonlySet<string> = new Set(["needs_response", "warning_needs_response"]);

/** Submits the evidence to every dispute of a payment that awaits it; a submission is final. */
export async function contest(
  stripe: Stripe,
  intentId: string,
  evidence: DisputeEvidence,
): Promise<DisputesAnswered> {
  const open = await waitingDisputes(stripe, intentId);
  // Stripe would send what was prepared there with ours, and ours in place of its words
  if (open.some(isPrepared)) throw new CheckoutRefused(preparedElsewhere);
  return answerEach({ stripe, intentId, disputes: open }, (id) =>
    stripe.disputes.update(id, { evidence, submit: true }),
  );
}

const isPrepared = ({ evidence_details: { has_evidence: has, submission_count: sent } }: Stripe.Dispute) =>
  has && sent === 0;

const preparedElsewhere =
  "Somebody prepared evidence in Stripe's dashboard and hasn't sent it. Send it there, or remove it there first.";

/** Closes as lost the dispute with the next deadline, which is the one that staff see. */
export async function acceptDispute(stripe: Stripe, intentId: string): Promise<DisputesAccepted> {
  const open = await waitingDisputes(stripe, intentId);
  const disputes = open
    .filter(({ status }) => status === "needs_response")
    .toSorted((one, other) => deadlineOf(one) - deadlineOf(other));
  const done = await answerEach({ stripe, intentId, disputes: disputes.slice(0, 1) }, (id) =>
    stripe.disputes.close(id),
  );
  return { ...done, inquiries: open.length - disputes.length };
}

const deadlineOf = ({ evidence_details: { due_by: due } }: Stripe.Dispute) => due || Number.MAX_SAFE_INTEGER;

type Waiting = { stripe: Stripe; intentId: string; disputes: Stripe.Dispute[] };

/** Answers one after the other until one fails. Throws if none was answered. */
async function answerEach(
  { disputes, ...payment }: Waiting,
  answer: (id: string) => Promise<unknown>,
): Promise<DisputesAnswered> {
  let answered = 0;
  for (const { id } of disputes) {
    try {
      await answer(id);
    } catch (error) {
      if (!(await isAnswered(payment, { id, error }))) {
        if (answered === 0) throw error;
        const failure = await translated(() => Promise.reject(error)).catch((other: Error) => other);
        return { answered, failure };
      }
    }
    answered += 1;
  }
  return { answered, failure: null };
}

/** Whether Stripe took an answer and only its own was lost. */
async function isAnswered(
  { stripe, intentId }: Omit<Waiting, "disputes">,
  { id, error }: { id: string; error: unknown },
): Promise<boolean> {
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return false;
  const left = await waitingDisputes(stripe, intentId).catch(() => null);
  return left !== null && !left.some((one) => one.id === id);
}

async function waitingDisputes(stripe: Stripe, intentId: string): Promise<Stripe.Dispute[]> {
  const [one, ...others] = await paymentsOfSameInvoice(stripe, intentId);
  const ids = one ? [one, ...others].map(({ id }) => id) : [intentId];
  const lists = ids.map((payment_intent) => stripe.disputes.list({ payment_intent, limit: 100 }));
  return (await Promise.all(lists)).flatMap(({ data }) => data.filter(({ status }) => waiting.has(status)));
}
