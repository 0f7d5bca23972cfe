import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { money } from "@/contract/money";
import { deskListQuery } from "../../../api/desk/lists";
import { actorName } from "../actor";
import { DecisionButtons } from "../refunds/decide";

const waiting = { state: "proposed" };
/** As many as are decided without leaving the page. */
const most = 3;

/** The newest proposed refunds, with Approve and Decline for owners. */
export function Proposals() {
  const { data } = useInfiniteQuery(deskListQuery("refunds", waiting));
  const proposed = data?.pages[0]?.rows.slice(0, most) ?? [];
  return (
    <ul className="flex flex-col gap-1 pb-2 pl-7">
      {proposed.map((refund) => (
        <li key={refund.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 pr-2 text-sm">
          <Link
            to={`/desk/payments/${refund.payment}`}
            className="inline-flex min-h-11 items-center font-medium text-link tabular-nums underline-offset-4 hover:underline md:min-h-8"
          >
            {money(refund.amount, refund.currency)}
          </Link>
          <span className="min-w-0 flex-1 text-muted-foreground wrap-anywhere">
            {actorName(refund.proposed_by)}: {refund.reason}
          </span>
          <DecisionButtons refund={refund} />
        </li>
      ))}
    </ul>
  );
}
