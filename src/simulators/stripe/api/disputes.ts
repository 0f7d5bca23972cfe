import type Stripe from "stripe";
import { noEvidence } from "../money/blank-dispute";
import { addEvidence, moveDispute, waysOf } from "../money/disputes";
import { idOf } from "../world";
import type { Call } from "./call";
import { found, invalid } from "./errors";
import { type Form, metadata, onlyKnown, part, text } from "./form";
import { page } from "./lists";

const accepted = new Set(["evidence", "metadata", "submit", "intended_submission_method"]);
const evidenceFields = new Set([...Object.keys(noEvidence), "appeal"]);

export function getDispute({ world, id }: Call): Stripe.Dispute {
  return found(world.ledger.disputes.get(id), "dispute", id);
}

/** https://docs.stripe.com/api/disputes/update: evidence is submitted unless `submit` is false. */
export function updateDispute({ world, id, params }: Call): Stripe.Dispute {
  onlyKnown(params, accepted);
  const dispute = found(world.ledger.disputes.get(id), "dispute", id);
  const evidence = evidenceIn(params);
  const submit = text(params, "submit") === "true" || ("submit" in params ? false : evidence !== null);
  if ((evidence !== null || submit) && !takesEvidence(dispute))
    throw invalid("This dispute is already closed", { code: "dispute_closed" });
  return addEvidence(world, dispute, { evidence: evidence ?? {}, metadata: metadata(params), submit });
}

/** Giving up: the dispute is lost. */
export function closeDispute({ world, id }: Call): Stripe.Dispute {
  const dispute = found(world.ledger.disputes.get(id), "dispute", id);
  if (takesEvidence(dispute)) return moveDispute(world, dispute, "lost");
  throw invalid("This dispute is already closed", { code: "dispute_closed" });
}

export function listDisputes(call: Call) {
  const charge = text(call.params, "charge");
  const intent = text(call.params, "payment_intent");
  return page(call, call.world.ledger.disputes, {
    url: "/v1/disputes",
    noun: "dispute",
    show: (dispute) => dispute,
    keep: (dispute) =>
      (charge === undefined || idOf(dispute.charge) === charge) &&
      (intent === undefined || idOf(dispute.payment_intent) === intent),
  });
}

function takesEvidence(dispute: Stripe.Dispute): boolean {
  return dispute.status !== "won" && dispute.status !== "lost" && waysOf(dispute).length > 0;
}

function evidenceIn(params: Form): Partial<Stripe.Dispute.Evidence> | null {
  const given = part(params, "evidence");
  if (given === undefined) return null;
  onlyKnown(given, evidenceFields);
  return Object.fromEntries(Object.entries(given).filter(([, value]) => typeof value === "string"));
}
