import { RotateCcw } from "lucide-react";
import { money } from "@/contract/vocabulary/money";
import { actorName } from "../parts/actor";
import { stateColumn } from "../parts/status";
import { type ListDefinition, ListPage } from "../table/list-page";
import { When } from "../parts/when";
import { RefundButtons } from "../proposals/decide";
import { choicesOf, refundWords } from "../parts/words";

const refunds: ListDefinition<"refunds"> = {
  list: "refunds",
  title: "Refunds",
  words: ["refund", "refunds"],
  icon: RotateCcw,
  columns: [
    {
      id: "amount",
      name: "Amount",
      cell: ({ amount, currency }) => money(amount, currency),
      leads: true,
      width: "8rem",
    },
    stateColumn("state", refundWords),
    {
      id: "decision",
      name: "Decide",
      cell: (refund) => <RefundButtons refund={refund} />,
      whole: true,
      width: "13rem",
    },
    { id: "reason", name: "Reason", cell: ({ reason }) => reason, width: "minmax(0,2fr)" },
    { id: "proposed_by", name: "Requested by", cell: ({ proposed_by }) => actorName(proposed_by) },
    {
      id: "decided_by",
      name: "Decided by",
      cell: ({ decided_by }) => (decided_by ? actorName(decided_by) : "–"),
    },
    {
      id: "created_at",
      name: "Requested",
      cell: ({ created_at }) => <When at={created_at} />,
      width: "9rem",
    },
    { id: "decided_at", name: "Decided", cell: ({ decided_at }) => <When at={decided_at} />, hidden: true },
    { id: "payment", name: "Payment", cell: ({ payment }) => payment, hidden: true },
  ],
  filters: [{ name: "state", label: "State", kind: "choice", choices: choicesOf(refundWords) }],
  to: ({ payment }) => `/desk/payments/${payment}`,
  nameOf: ({ amount, currency }) => money(amount, currency),
  empty: "Nothing has been refunded yet.",
};

export const Refunds = () => <ListPage of={refunds} />;
