import type { RefundRow } from "@/contract/desk/rows";
import { money } from "@/contract/money";
import { Card } from "../../../ui/card";
import { actorName } from "../actor";
import { useMe } from "../frame/me";
import { RowOperations } from "../operation/row-operations";
import { When } from "../when";
import { refundDecisions } from "./decisions";

/** A proposed refund on its payment's page, with Approve and Decline for owners. */
export function Decide({ refund }: { refund: RefundRow }) {
  return (
    <Card aria-label="Proposed refund" className="gap-3 border-warning/40">
      <p className="text-sm wrap-anywhere">
        <span className="font-medium">{actorName(refund.proposed_by)}</span> proposed to refund{" "}
        <span className="font-medium tabular-nums">{money(refund.amount, refund.currency)}</span>{" "}
        <When at={refund.created_at} />: {refund.reason}
      </p>
      <DecisionButtons refund={refund} />
    </Card>
  );
}

/** Approve and Decline; nothing for those who may not decide, and once it is decided. */
export function DecisionButtons({ refund }: { refund: RefundRow }) {
  const { role } = useMe();
  return (
    <RowOperations
      operations={refundDecisions(role, refund)}
      about={`the refund of ${money(refund.amount, refund.currency)}`}
    />
  );
}
