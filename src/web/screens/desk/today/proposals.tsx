import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { RefundRow } from "@/contract/wire/desk/rows";
import { deskListQuery } from "../../../api/desk/lists";
import { actorName } from "../parts/actor";
import { changeInWords, refundInWords } from "../proposals/decisions";
import { CorrectionButtons, RefundButtons } from "../proposals/decide";

const waiting = { state: "proposed" };
/** As many as are decided without leaving the page. */
const most = 3;

/** The newest proposed refunds, with Approve and Decline for owners. */
export function ProposedRefunds() {
  const { data } = useInfiniteQuery(deskListQuery("refunds", waiting));
  return (
    <ul className="flex flex-col gap-1 pb-2 pl-7">
      {data?.pages[0]?.rows.slice(0, most).map((refund) => (
        <Proposal
          key={refund.id}
          of={refund}
          what={refundInWords(refund)}
          buttons={<RefundButtons refund={refund} />}
        />
      ))}
    </ul>
  );
}

/** The newest proposed addresses, likewise. */
export function ProposedAddresses() {
  const { data } = useInfiniteQuery(deskListQuery("corrections", waiting));
  return (
    <ul className="flex flex-col gap-1 pb-2 pl-7">
      {data?.pages[0]?.rows.slice(0, most).map((correction) => (
        <Proposal
          key={correction.id}
          of={correction}
          what={`Change ${changeInWords(correction)}`}
          buttons={<CorrectionButtons correction={correction} />}
        />
      ))}
    </ul>
  );
}

type ProposalItem = {
  of: Pick<RefundRow, "payment" | "proposed_by" | "reason">;
  what: string;
  buttons: ReactNode;
};

const Proposal = ({ of: { payment, proposed_by, reason }, what, buttons }: ProposalItem) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-1 pr-2 text-sm">
    <Link
      to={`/desk/payments/${payment}`}
      className="inline-flex min-h-11 items-center font-medium wrap-anywhere text-link tabular-nums underline-offset-4 hover:underline md:min-h-8"
    >
      {what}
    </Link>
    <span className="min-w-40 flex-1 text-muted-foreground wrap-anywhere">
      {actorName(proposed_by)}: {reason}
    </span>
    {buttons}
  </li>
);
