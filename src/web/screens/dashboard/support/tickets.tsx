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
import { supportHours } from "./hours";
import { NewTicket } from "./new-ticket";
import { newTicketPath, ticketState, ticketPath } from "./state";

const everyMilliseconds = 15_000;

/** The account's support tickets, or the form for a new one. */
export function Tickets() {
  const [query] = useSearchParams();
  return query.has("new") ? <NewTicket /> : <TicketList />;
}

function TicketList() {
  const tickets = useInfiniteQuery({ ...ticketsQuery, refetchInterval: everyMilliseconds });
  useProblemToast(tickets.error, "Failed to fetch tickets, an error occured");
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-4">
        <PageHeading title="My tickets">Your conversations with our support team.</PageHeading>
        <NewButton />
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

const NoTickets = () => (
  <div className="flex flex-col items-center gap-4 pb-4">
    <Empty icon={LifeBuoy}>No support tickets found</Empty>
    <p className="text-center text-sm text-muted-foreground">
      Ask us about your license, payment or device. {supportHours()}
    </p>
  </div>
);

const speakers = { member: "You", guest: "Guest", staff: "Support" } as const;

function Row({ ticket }: { ticket: ListedTicket }) {
  const { last } = ticket;
  return (
    <li>
      <Link
        to={ticketPath(ticket.id)}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 rounded-md px-1 py-3 hover:bg-accent/50"
      >
        <span className="flex min-w-0 items-center gap-2 font-medium">
          {ticket.unread && <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-primary" />}
          <span className="truncate">{`#${ticket.number} ${ticket.topic}`}</span>
          {ticket.unread && <span className="sr-only">, unread</span>}
        </span>
        <StateBadge {...ticketState(ticket)} />
        <span className="truncate text-sm text-muted-foreground">{`${speakers[last.author]}: ${last.text}`}</span>
        <time dateTime={ticket.opened_at} className="text-right text-xs text-muted-foreground">
          {formatDay(new Date(ticket.opened_at))}
        </time>
      </Link>
    </li>
  );
}
