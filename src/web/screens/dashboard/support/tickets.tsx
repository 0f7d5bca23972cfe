import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck, LifeBuoy, MessageCircle } from "lucide-react";
import { Link } from "react-router";
import type { TicketSummary } from "@/contract/tickets";
import { ticketsQuery } from "../../../api/tickets";
import { Empty } from "../../../parts/empty";
import { useProblemToast } from "../../../hooks/use-problem-toast";
import { formatTime } from "../../../parts/format-time";
import { Loaded } from "../../../parts/loaded";
import { PageHeading } from "../../../parts/page-heading";
import { RowsSkeleton } from "../../../parts/rows-skeleton";
import { ShowMore } from "../../../parts/show-more";
import { Badge } from "../../../ui/badge";
import { Card } from "../../../ui/card";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "../../../ui/table";

/** The account's support tickets, with their loading, empty and error states. */
export function Tickets() {
  const tickets = useInfiniteQuery(ticketsQuery);
  useProblemToast(tickets.error, "Failed to fetch tickets, an error occured");
  return (
    <>
      <PageHeading title="My tickets">
        Your conversations with our support team on Discord. Type /support open there to start one.
      </PageHeading>
      <Card aria-label="Tickets">
        <Loaded
          query={tickets}
          skeleton={<RowsSkeleton rows={3} />}
          empty={<Empty icon={LifeBuoy}>No support tickets found</Empty>}
        >
          {(all) => <TicketTable tickets={all} />}
        </Loaded>
        <ShowMore list={tickets} />
      </Card>
    </>
  );
}

function TicketTable({ tickets }: { tickets: readonly TicketSummary[] }) {
  return (
    <Table aria-label="Tickets">
      <TableHeader>
        <TableRow>
          {["Ticket", "Status", "Topic", "Opened"].map((name) => (
            <TableHead key={name}>{name}</TableHead>
          ))}
        </TableRow>
      </TableHeader>
      <TableBody>
        {tickets.map((ticket) => (
          <TableRow key={ticket.id}>
            <TableCell data-label="Ticket">
              <Link
                to={`/dashboard/ticket?id=${encodeURIComponent(ticket.id)}`}
                className="font-medium text-link underline underline-offset-4"
              >
                Ticket #{ticket.number}
              </Link>
            </TableCell>
            <TableCell data-label="Status">
              <TicketState state={ticket.state} />
            </TableCell>
            <TableCell data-label="Topic">{ticket.topic}</TableCell>
            <TableCell data-label="Opened">{formatTime(new Date(ticket.opened_at))}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function TicketState({ state }: Pick<TicketSummary, "state">) {
  const [Icon, variant, word] =
    state === "open"
      ? ([MessageCircle, "success", "Open"] as const)
      : ([CircleCheck, "secondary", "Closed"] as const);
  return (
    <Badge variant={variant}>
      <Icon aria-hidden="true" />
      {word}
    </Badge>
  );
}
