import { LifeBuoy } from "lucide-react";
import { Link } from "react-router";
import { ticketWords, turnWords } from "@/contract/vocabulary/state-words";
import { stateColumn } from "../parts/status";
import { type ListDefinition, ListPage } from "../table/list-page";
import { useNow } from "../../../hooks/use-now";
import { formatTime } from "../../../parts/format-time";
import { actorName } from "../parts/actor";
import { lengthText } from "../parts/dates";
import { whenColumn } from "../table/columns";
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
      cell: ({ number, first_line }) => `#${number} ${first_line}`,
      leads: true,
      width: "minmax(0,2.4fr)",
    },
    stateColumn("status", ticketWords, "7rem"),
    { id: "topic", name: "Topic", cell: ({ topic }) => topic },
    { id: "customer", name: "Customer", cell: ({ customer }) => customer?.username ?? "–" },
    { id: "claimer", name: "Claimed by", cell: ({ claimer }) => claimer && actorName(claimer), said: "with" },
    {
      id: "waiting",
      name: "Waits",
      cell: ({ waiting_for, waiting_since }) =>
        waiting_for === null ? null : <Waits whom={waiting_for} since={waiting_since} />,
      width: "11rem",
      phone: "time",
      said: "waits",
    },
    whenColumn("opened_at", "Opened", ({ opened_at }) => opened_at, { hidden: true, said: "opened" }),
    whenColumn("closed_at", "Closed", ({ closed_at }) => closed_at, { hidden: true, said: "closed" }),
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
  beside: (
    <Link
      to="/desk/tickets/figures"
      className="inline-flex min-h-11 items-center px-2 text-sm text-link underline underline-offset-4 md:min-h-9"
    >
      Figures
    </Link>
  ),
};

/** `14 h for staff`: who has to write next, and since when. */
function Waits({ whom, since }: { whom: "staff" | "customer"; since: string | null }) {
  const now = useNow();
  const then = new Date(since ?? now);
  return (
    <time dateTime={then.toISOString()} title={formatTime(then)}>
      {`${lengthText(Math.max(0, now.getTime() - then.getTime()))} for ${turnWords[whom].word.toLowerCase()}`}
    </time>
  );
}

/** Every ticket; those that wait for staff by the filter that Today links to. */
export const Tickets = () => <ListPage of={tickets} />;
