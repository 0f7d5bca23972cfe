import type Stripe from "stripe";
import { emit } from "../events";
import type { Dispute } from "../ledger";
import { type DisputeStatus, isInquiry, moveDispute } from "../money/disputes";
import { type World, seconds } from "../world";
import { found, invalid } from "./errors";
import { boolean, onlyKnown, part, text } from "./form";
import type { Call } from "./lists";

/** The part of https://docs.stripe.com/api/disputes/evidence_object that is text and that the shop sends. */
const fields = [
  "access_activity_log",
  "customer_email_address",
  "customer_purchase_ip",
  "product_description",
  "refund_policy_disclosure",
  "refund_refusal_explanation",
  "service_date",
  "uncategorized_text",
] as const satisfies (keyof Stripe.Dispute.Evidence)[];

/** Of one field, and of all together. */
const mostCharacters = { field: 20_000, all: 150_000 };

/** Where a dispute goes once its evidence is with the bank; from any other status it takes none. */
const submitted: Partial<Record<string, DisputeStatus>> = {
  needs_response: "under_review",
  warning_needs_response: "warning_under_review",
  appeal_needs_response: "appeal_under_review",
};

/** https://docs.stripe.com/api/disputes/update: `submit` is true unless given, and a submission is final. */
export function updateDispute({ world, id, params }: Call) {
  onlyKnown(params, ["evidence", "submit"]);
  const dispute = found(world.ledger.disputes.get(id), "dispute", id);
  const next = submitted[dispute.status];
  if (!next) throw closed();
  const given = part(params, "evidence") ?? {};
  onlyKnown(given, fields);
  const evidence: Record<string, unknown> = { ...dispute.evidence };
  for (const name of Object.keys(given)) {
    const value = text(given, name) ?? "";
    if (value.length > mostCharacters.field)
      throw invalid(`Invalid string: must be at most ${mostCharacters.field} characters`, {
        param: `evidence[${name}]`,
      });
    evidence[name] = value;
  }
  if (Object.values(evidence).join("").length > mostCharacters.all)
    throw invalid(`The evidence may have at most ${mostCharacters.all} characters.`, { param: "evidence" });
  const staged = { ...dispute, evidence };
  if (boolean(params, "submit") === false) return stage(world, staged);
  return moveDispute(world, { ...staged, evidence_details: detailsAfter(world, dispute) }, next);
}

function stage(world: World, dispute: Dispute): Dispute {
  const staged = world.ledger.put("disputes", {
    ...dispute,
    evidence_details: { ...dispute.evidence_details, has_evidence: true },
  });
  emit(world, "charge.dispute.updated", staged);
  return staged;
}

const detailsAfter = (world: World, { evidence_details: details }: Dispute) => ({
  ...details,
  has_evidence: true,
  past_due: seconds(world) > (details?.due_by ?? 0),
  submission_count: (details?.submission_count ?? 0) + 1,
});

/** https://docs.stripe.com/api/disputes/close: accepts it as lost, which can't be undone; an inquiry is only closed. */
export function closeDispute({ world, id, params }: Call) {
  onlyKnown(params, []);
  const dispute = found(world.ledger.disputes.get(id), "dispute", id);
  if (!submitted[dispute.status]) throw closed();
  return moveDispute(world, dispute, isInquiry(dispute.status) ? "warning_closed" : "lost");
}

const closed = () => invalid("This dispute is already closed", { code: "dispute_closed" });
