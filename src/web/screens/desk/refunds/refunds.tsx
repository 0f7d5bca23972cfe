import { RotateCcw } from "lucide-react";
import { money } from "@/contract/vocabulary/money";
import { actorName } from "../parts/actor";
import { stateColumn } from "../parts/status";
import { type ListDefinition, ListPage } from "../table/list-page";
import { whenColumn } from "../table/columns";
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
      phone: "line",
    },
    {
      id: "email",
      name: "Buyer",
      cell: ({ email }) => email ?? "–",
      width: "minmax(0,1.4fr)",
    },
    { id: "customer", name: "Customer", cell: ({ customer }) => customer?.username ?? "–" },
    { id: "reason", name: "Reason", cell: ({ reason }) => reason, width: "minmax(0,2fr)" },
    {
      id: "proposed_by",
      name: "Requested by",
      cell: ({ proposed_by }) => actorName(proposed_by),
      said: "by",
    },
    {
      id: "decided_by",
      name: "Decided by",
      cell: ({ decided_by }) => (decided_by ? actorName(decided_by) : "–"),
      hidden: true,
    },
    whenColumn("created_at", "Requested", ({ created_at }) => created_at, { phone: "time" }),
    whenColumn("decided_at", "Decided", ({ decided_at }) => decided_at, { hidden: true, said: "decided" }),
    { id: "payment", name: "Payment", cell: ({ payment }) => payment, hidden: true },
  ],
  filters: [{ name: "state", label: "State", kind: "choice", choices: choicesOf(refundWords) }],
  to: ({ payment }) => `/desk/payments/${payment}`,
  nameOf: ({ amount, currency }) => money(amount, currency),
  empty: "Nothing has been refunded yet.",
};

export const Refunds = () => <ListPage of={refunds} />;
