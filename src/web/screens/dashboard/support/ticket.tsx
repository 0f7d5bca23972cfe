import { useInfiniteQuery } from "@tanstack/react-query";
import { Download, LifeBuoy } from "lucide-react";
import { Link, Navigate, useSearchParams } from "react-router";
import type { TicketTranscript } from "@/contract/tickets";
import { ticketQuery } from "../../../api/tickets";
import { Empty } from "../../../parts/empty";
import { formatTime } from "../../../parts/format-time";
import { Loaded } from "../../../parts/loaded";
import { PageHeading } from "../../../parts/page-heading";
import { RowsSkeleton } from "../../../parts/rows-skeleton";
import { ShowMore } from "../../../parts/show-more";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { Ending } from "./ticket-state";
import { Message } from "./message";

/** One ticket's messages; a URL without a known ticket redirects to the list. */
export function Ticket() {
  const [query] = useSearchParams();
  const id = query.get("id");
  return id ? <OneTicket id={id} /> : <Navigate to="/dashboard/tickets" replace />;
}

function OneTicket({ id }: { id: string }) {
  const ticket = useInfiniteQuery(ticketQuery(id));
  const { data } = ticket;
  return (
    <>
      <PageHeading title={data ? `Ticket #${data.number}` : "Ticket"}>
        {data
          ? `${data.topic}, opened ${formatTime(new Date(data.opened_at))}`
          : "Your conversation with support."}
      </PageHeading>
      <Card aria-label="Conversation">
        <Loaded query={ticket} skeleton={<RowsSkeleton rows={3} />}>
          {(found) => (
            <>
              <Ending {...found} />
              <ShowMore list={ticket}>Show earlier messages</ShowMore>
              <Conversation ticket={found} />
            </>
          )}
        </Loaded>
      </Card>
      <div className="flex flex-wrap gap-3">
        {data && (
          <Button asChild size="lg">
            <a href={`/api/tickets/${encodeURIComponent(id)}/transcript`} download>
              <Download aria-hidden="true" />
              Save as text
            </a>
          </Button>
        )}
        <Button asChild variant="outline" size="lg">
          <Link to="/dashboard/tickets">Back to my tickets</Link>
        </Button>
      </div>
    </>
  );
}

function Conversation({ ticket }: { ticket: TicketTranscript }) {
  if (ticket.messages.length === 0) return <Empty icon={LifeBuoy}>No messages yet</Empty>;
  return (
    <ol aria-label="Messages" className="flex flex-col gap-4">
      {ticket.messages.map((message) => (
        <Message key={message.id} ticketId={ticket.id} message={message} />
      ))}
    </ol>
  );
}
