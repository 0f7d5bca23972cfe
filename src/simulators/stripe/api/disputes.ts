import { isInquiry, moveDispute, waysOf } from "../money/disputes";
import { found, invalid } from "./errors";
import { onlyKnown, strings, text } from "./form";
import type { Call } from "./lists";

/** https://docs.stripe.com/api/disputes/update, only with evidence submitted at once. */
export function updateDispute({ world, id, params }: Call) {
  onlyKnown(params, ["evidence", "submit"]);
  const dispute = found(world.ledger.disputes.get(id), "dispute", id);
  if (dispute.status === "won" || dispute.status === "lost" || waysOf(dispute).length === 0)
    throw invalid("This dispute is already closed", { code: "dispute_closed" });
  if (text(params, "submit") !== "true")
    throw invalid("The simulator takes only evidence that is submitted.", { param: "submit" });
  const evidence = { ...dispute.evidence, ...strings(params, "evidence") };
  const reviewed = dispute.status.startsWith("appeal_") ? "appeal_under_review" : "under_review";
  const status = isInquiry(dispute.status) ? "warning_under_review" : reviewed;
  return moveDispute(world, { ...dispute, evidence }, status);
}
