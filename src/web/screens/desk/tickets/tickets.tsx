import { LifeBuoy } from "lucide-react";
import { Link } from "react-router";
import { ticketWords, turnWords } from "@/contract/vocabulary/state-words";
import { stateColumn } from "../parts/status";
import { type ListDefinition, ListPage } from "../table/list-page";
import { When } from "../parts/when";
import { choicesOf } from "../parts/words";

const tickets: ListDefinition<"tickets"> = {
  list: "tickets",
  title: "Tickets",
  words: ["ticket", "tickets"],
  icon: LifeBuoy,
  columns: [
    { id: "number", name: "Ticket", cell: ({ number }) => `#${number}`, leads: true, width: "7rem" },
    { id: "topic", name: "Topic", cell: ({ topic }) => topic, width: "minmax(0,1.4fr)" },
    { id: "customer", name: "Customer", cell: ({ customer }) => customer?.username ?? "–" },
    {
      id: "waiting_for",
      name: "Waiting for",
      cell: ({ waiting_for }) => (waiting_for === null ? "–" : turnWords[waiting_for].word),
      width: "7rem",
    },
    stateColumn("status", ticketWords, "8rem"),
    { id: "opened_at", name: "Opened", cell: ({ opened_at }) => <When at={opened_at} />, width: "9rem" },
    { id: "closed_at", name: "Closed", cell: ({ closed_at }) => <When at={closed_at} />, hidden: true },
    { id: "id", name: "Id", cell: ({ id }) => id, hidden: true },
  ],
  filters: [
    { name: "waiting_for", label: "Waiting for", kind: "choice", choices: choicesOf(turnWords) },
    { name: "claimed_by", label: "Claimed by", kind: "me" },
    { name: "status", label: "Status", kind: "choice", choices: choicesOf(ticketWords) },
  ],
  to: ({ id }) => `/desk/tickets/${id}`,
  nameOf: ({ number }) => `ticket #${number}`,
  empty: "Nobody has asked for help yet.",
  finds: "tickets",
};

/** Every ticket; those that wait for staff by the filter that Today links to. */
export function Tickets() {
  return (
    <>
      <ListPage of={tickets} />
      <Link
        to="/desk/tickets/figures"
        className="inline-flex min-h-11 items-center self-start text-sm text-link underline-offset-4 hover:underline"
      >
        Support&apos;s figures
      </Link>
    </>
  );
}
