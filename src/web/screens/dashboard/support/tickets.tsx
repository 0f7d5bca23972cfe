import { useInfiniteQuery } from "@tanstack/react-query";
import { LifeBuoy, Plus } from "lucide-react";
import { Link, useSearchParams } from "react-router";
import type { ListedTicket } from "@/contract/wire/tickets";
import { ticketsQuery } from "../../../api/tickets";
import { useProblemToast } from "../../../parts/use-problem-toast";
import { Empty } from "../../../parts/empty";
import { formatDay } from "../../../parts/format-time";
import { Loaded } from "../../../parts/loaded";
import { PageHeading } from "../../../parts/page-heading";
import { RowsSkeleton } from "../../../parts/rows-skeleton";
import { ShowMore } from "../../../parts/show-more";
import { StateBadge } from "../../../parts/state-badge";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { useAnswerTime } from "./answer-time";
import { NewTicket } from "./new-ticket";
import { newTicketPath, ticketState, ticketPath } from "./state";

// with the list, whose readers open one next
export { Ticket } from "./ticket";

const everyMilliseconds = 15_000;

/** The account's support tickets, or the form for a new one. */
export function Tickets() {
  const [query] = useSearchParams();
  const about = query.get("new");
  return about === null ? <TicketList /> : <NewTicket about={about} />;
}

function TicketList() {
  const tickets = useInfiniteQuery({ ...ticketsQuery, refetchInterval: everyMilliseconds });
  useProblemToast(tickets.error, "Failed to fetch tickets, an error occurred");
  return (
    <>
      <div className="flex min-h-12 items-start justify-between gap-4">
        <PageHeading title="My tickets" />
        {tickets.data?.length !== 0 && <NewButton />}
      </div>
      <Card aria-label="Tickets">
        <Loaded query={tickets} skeleton={<RowsSkeleton rows={3} />} empty={<NoTickets />}>
          {(all) => (
            <ul
              aria-label="Tickets"
              data-slot="table-container"
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
              tabIndex={0}
              className="scroll-panel -my-2 max-h-[60vh] divide-y overflow-y-auto"
            >
              {all.map((ticket) => (
                <Row key={ticket.id} ticket={ticket} />
              ))}
            </ul>
          )}
        </Loaded>
        <ShowMore list={tickets} />
      </Card>
    </>
  );
}

const NewButton = () => (
  <Button asChild size="lg">
    <Link to={newTicketPath}>
      <Plus aria-hidden="true" />
      New ticket
    </Link>
  </Button>
);

function NoTickets() {
  const answerTime = useAnswerTime();
  return (
    <Empty icon={LifeBuoy} next={<NewButton />} note={answerTime}>
      No tickets yet
    </Empty>
  );
}

const speakers = { member: "You", guest: "Guest", staff: "Support" } as const;

function Row({ ticket }: { ticket: ListedTicket }) {
  const { last } = ticket;
  return (
    <li>
      <Link
        to={ticketPath(ticket.id)}
        className="flex flex-col gap-1 rounded-md px-1 py-3 hover:bg-accent/50"
      >
        <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <span className="flex min-w-0 items-center gap-2 font-medium">
            {ticket.unread && <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-chart-1" />}
            <span className="wrap-anywhere">{`#${ticket.number} ${ticket.topic}`}</span>
            {ticket.unread && <span className="sr-only">, unread</span>}
          </span>
          <StateBadge {...ticketState(ticket)} />
        </span>
        <span className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-4 text-muted-foreground">
          <span className="truncate text-sm">{`${speakers[last.author]}: ${last.text}`}</span>
          <time dateTime={ticket.opened_at} className="text-xs">
            {formatDay(new Date(ticket.opened_at))}
          </time>
        </span>
      </Link>
    </li>
  );
}
