import type { ReactNode } from "react";
import type { CorrectionRow, RefundRow } from "@/contract/wire/desk/rows";
import { money } from "@/contract/vocabulary/money";
import { Card } from "../../../ui/card";
import { actorName } from "../parts/actor";
import { RowOperations } from "../operation/row-operations";
import { When } from "../parts/when";
import { changeInWords, correctionDecisions, refundDecisions, refundInWords } from "./decisions";

/** A proposed refund on its payment's page, with Approve and Decline for owners. */
export const DecideRefund = ({ refund }: { refund: RefundRow }) => (
  <Proposal label="Proposed refund" of={refund} buttons={<RefundButtons refund={refund} />}>
    to refund <span className="font-medium tabular-nums">{money(refund.amount, refund.currency)}</span>
  </Proposal>
);

/** The same for a proposed address. */
export const DecideCorrection = ({ correction }: { correction: CorrectionRow }) => (
  <Proposal label="Proposed address" of={correction} buttons={<CorrectionButtons correction={correction} />}>
    to change <span className="font-medium">{changeInWords(correction)}</span>
  </Proposal>
);

type ProposalWords = {
  label: string;
  of: Pick<RefundRow, "proposed_by" | "created_at" | "reason">;
  buttons: ReactNode;
  /** What was proposed, after "sam proposed". */
  children: ReactNode;
};

const Proposal = ({ label, of: { proposed_by, created_at, reason }, buttons, children }: ProposalWords) => (
  <Card aria-label={label} className="gap-3 border-warning/40">
    <p className="text-sm wrap-anywhere">
      <span className="font-medium">{actorName(proposed_by)}</span> proposed {children}{" "}
      <When at={created_at} />: {reason}
    </p>
    {buttons}
  </Card>
);

/** Approve and Decline; nothing for those who may not decide, and once it is decided. */
export function RefundButtons({ refund }: { refund: RefundRow }) {
  return (
    <RowOperations operations={refundDecisions(refund)} about={`the refund of ${refundInWords(refund)}`} />
  );
}

/** The same for a proposed address. */
export function CorrectionButtons({ correction }: { correction: CorrectionRow }) {
  return (
    <RowOperations operations={correctionDecisions(correction)} about={`the address ${correction.email}`} />
  );
}
