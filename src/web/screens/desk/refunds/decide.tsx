import { useState } from "react";
import type { RefundRow } from "@/contract/desk/rows";
import { money } from "@/contract/money";
import { cn } from "../../../lib/utils";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { actorName } from "../actor";
import { useMe } from "../frame/me";
import { OperationDialog } from "../operation/operation-dialog";
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
  const [open, setOpen] = useState<string | null>(null);
  const operations = refundDecisions(role, refund);
  const chosen = operations.find(({ name }) => name === open);
  if (operations.length === 0) return null;
  return (
    <span className="flex flex-wrap gap-2">
      {operations.map(({ name, icon: Icon, grave }) => (
        <Button
          key={name}
          variant="outline"
          size="sm"
          className={cn(grave && "text-destructive-text")}
          aria-label={`${name} the refund of ${money(refund.amount, refund.currency)}`}
          onClick={() => setOpen(name)}
        >
          <Icon aria-hidden="true" />
          {name}
        </Button>
      ))}
      {chosen && <OperationDialog operation={chosen} onClose={() => setOpen(null)} />}
    </span>
  );
}
