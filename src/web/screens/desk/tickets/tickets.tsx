import { LifeBuoy } from "lucide-react";
import { Link } from "react-router";
import { ticketWords, turnWords } from "@/contract/vocabulary/state-words";
import type { TicketRow } from "@/contract/wire/desk/rows";
import { useNow } from "../../../hooks/use-now";
import { formatTime } from "../../../parts/format-time";
import { actorName } from "../parts/actor";
import { lengthText } from "../parts/dates";
import { Status } from "../parts/status";
import { type ListDefinition, ListPage } from "../table/list-page";
import { whenColumn } from "../table/columns";
import { ticketTitle } from "../table/related-columns";
import { choicesOf } from "../parts/words";

const tickets: ListDefinition<"tickets"> = {
  list: "tickets",
  title: "Tickets",
  words: ["ticket", "tickets"],
  icon: LifeBuoy,
  columns: [
    {
      id: "number",
      name: "Ticket",
      cell: ticketTitle,
      leads: true,
      width: "minmax(0,2.4fr)",
    },
    { id: "topic", name: "Topic", cell: ({ topic }) => topic, width: "8rem" },
    { id: "customer", name: "Customer", cell: ({ customer, name }) => customer?.username ?? name },
    { id: "claimer", name: "Claimed by", cell: ({ claimer }) => claimer && actorName(claimer), said: "with" },
    { id: "waits", name: "Waiting", cell: (row) => <Waiting row={row} />, width: "11rem", phone: "time" },
    whenColumn("opened_at", "Opened", ({ opened_at }) => opened_at, { hidden: true, said: "opened" }),
    whenColumn("closed_at", "Closed", ({ closed_at }) => closed_at, { hidden: true, said: "closed" }),
    { id: "id", name: "Id", cell: ({ id }) => id, hidden: true },
  ],
  filters: [
    {
      name: "waiting_for",
      label: "Waiting for",
      kind: "choice",
      choices: choicesOf(turnWords),
      instead: "status",
    },
    { name: "claimed_by", label: "Claimed by", kind: "me" },
    {
      name: "status",
      label: "Status",
      kind: "choice",
      choices: choicesOf(ticketWords),
      instead: "waiting_for",
    },
  ],
  first: { filters: { waiting_for: "staff" }, empty: "Nobody is waiting for an answer." },
  beside: (
    <Link
      to="/desk/tickets/figures"
      className="inline-flex min-h-11 items-center text-sm text-link underline-offset-4 hover:underline md:min-h-9"
    >
      Figures
    </Link>
  ),
  to: ({ id }) => `/desk/tickets/${id}`,
  nameOf: ({ number }) => `ticket #${number}`,
  empty: "Nobody has asked for help yet.",
};

/** Every ticket: first those that wait for staff, the one that waits longest at the top. */
export const Tickets = () => <ListPage of={tickets} />;

/** For how long the customer has waited, or since when support has. */
function Waiting({ row: { waiting_for, waiting_since } }: { row: TicketRow }) {
  const now = useNow();
  if (waiting_since === null) return <Status of="closed" words={ticketWords} />;
  const since = new Date(waiting_since);
  const length = lengthText(Math.max(0, now.getTime() - since.getTime()));
  return (
    <time dateTime={waiting_since} title={formatTime(since)}>
      {waiting_for === "staff" ? `Waits ${length}` : `Answered ${length} ago`}
    </time>
  );
}
