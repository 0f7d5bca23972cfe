import { MailCheck } from "lucide-react";
import { actorName } from "../parts/actor";
import { CorrectionButtons } from "../proposals/decide";
import { stateColumn } from "../parts/status";
import { type ListDefinition, ListPage } from "../table/list-page";
import { whenColumn } from "../table/columns";
import { choicesOf, correctionWords } from "../parts/words";

/** An owner compares every letter of two addresses. */
const whole = (email: string | null) => <span className="wrap-anywhere">{email ?? "–"}</span>;

const corrections: ListDefinition<"corrections"> = {
  list: "corrections",
  title: "Proposed addresses",
  words: ["proposed address", "proposed addresses"],
  icon: MailCheck,
  columns: [
    {
      id: "email",
      name: "Proposed",
      cell: ({ email }) => whole(email),
      leads: true,
      whole: true,
      width: "minmax(0,3fr)",
    },
    {
      id: "present_email",
      name: "Now",
      cell: ({ present_email }) => whole(present_email),
      whole: true,
      said: "instead of",
      width: "minmax(0,3fr)",
    },
    stateColumn("state", correctionWords),
    {
      id: "decision",
      name: "Decide",
      cell: (correction) => <CorrectionButtons correction={correction} />,
      whole: true,
      width: "8rem",
      phone: "line",
    },
    {
      id: "receiver",
      name: "Whose",
      cell: ({ receiver }) => (receiver ? "Receiver's" : "Buyer's"),
      width: "7rem",
    },
    { id: "reason", name: "Reason", cell: ({ reason }) => reason, width: "minmax(0,2fr)" },
    { id: "proposed_by", name: "Requested by", cell: ({ proposed_by }) => actorName(proposed_by) },
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
  filters: [{ name: "state", label: "State", kind: "choice", choices: choicesOf(correctionWords) }],
  to: ({ payment }) => `/desk/payments/${payment}`,
  nameOf: ({ email }) => email,
  empty: "Support has proposed no address yet.",
};

export const Corrections = () => <ListPage of={corrections} />;
