import type Stripe from "stripe";
import { addEvidence, noEvidence, waysOf } from "../money/disputes";
import { found, invalid } from "./errors";
import { type Form, onlyKnown, part, text } from "./form";
import type { Call } from "./lists";

const evidenceFields = Object.keys(noEvidence);

/** https://docs.stripe.com/api/disputes/update: evidence is submitted unless `submit` is false. */
export function updateDispute({ world, id, params }: Call): Stripe.Dispute {
  onlyKnown(params, ["evidence", "submit"]);
  const dispute = found(world.ledger.disputes.get(id), "dispute", id);
  const evidence = evidenceIn(params);
  const submit = text(params, "submit") === "true" || ("submit" in params ? false : evidence !== null);
  if ((evidence !== null || submit) && !takesEvidence(dispute))
    throw invalid("This dispute is already closed", { code: "dispute_closed" });
  return addEvidence(world, dispute, { evidence: evidence ?? {}, submit });
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
