import type Stripe from "stripe";
import { noEvidence } from "../money/blank-dispute";
import { addEvidence, waysOf } from "../money/disputes";
import { found, invalid } from "./errors";
import { type Form, metadata, onlyKnown, part, text } from "./form";
import { type Call, ofPayment, page } from "./lists";

const accepted = new Set(["evidence", "metadata", "submit", "intended_submission_method"]);
const evidenceFields = new Set([...Object.keys(noEvidence), "appeal"]);

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

export function listDisputes(call: Call) {
  return page(call, call.world.ledger.disputes, {
    url: "/v1/disputes",
    noun: "dispute",
    show: (dispute) => dispute,
    keep: ofPayment(call.params),
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
