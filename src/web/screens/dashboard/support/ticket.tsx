import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { Navigate, useSearchParams } from "react-router";
import { conversationQuery } from "../../../api/tickets";
import { formatTime } from "../../../parts/format-time";
import { Loaded } from "../../../parts/loaded";
import { PageHeading } from "../../../parts/page-heading";
import { RowsSkeleton } from "../../../parts/rows-skeleton";
import { StateBadge } from "../../../parts/state-badge";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { BackLink } from "./back-link";
import { CloseButton } from "./close-button";
import { Composer } from "./composer";
import { Conversation } from "./conversation";
import { Rating } from "./rating";
import { ticketState } from "./state";
import { Ending } from "./ticket-state";

/** One ticket's conversation; a URL without an id redirects to the list. */
export function Ticket() {
  const [query] = useSearchParams();
  const id = query.get("id");
  return id ? <OneTicket key={id} id={id} /> : <Navigate to="/dashboard/tickets" replace />;
}

function OneTicket({ id }: { id: string }) {
  const conversation = useQuery(conversationQuery(id));
  const ticket = conversation.data?.ticket;
  const [isClosing, setClosing] = useState(false);
  return (
    <>
      <div className="flex flex-col items-start gap-3">
        <BackLink />
        <div className="flex w-full flex-wrap items-start justify-between gap-3">
          <PageHeading title={ticket ? `Ticket #${ticket.number}` : "Ticket"}>
            {ticket
              ? `${ticket.topic}, opened ${formatTime(new Date(ticket.opened_at))}`
              : "Your conversation with support."}
          </PageHeading>
          {ticket && <StateBadge {...ticketState(ticket)} />}
        </div>
      </div>
      <Card aria-label="Conversation">
        <Loaded query={conversation} skeleton={<RowsSkeleton rows={3} />}>
          {(found) => (
            <>
              <Conversation conversation={found} />
              {found.ticket.state === "open" ? (
                <Composer ticket={found.ticket} waits={found.messages.some(({ waiting }) => waiting)} />
              ) : (
                <>
                  <Ending {...found.ticket} hasFocus={isClosing} />
                  <Rating ticket={found.ticket} />
                </>
              )}
            </>
          )}
        </Loaded>
      </Card>
      {ticket && (
        <div className="flex flex-wrap gap-3">
          <Button asChild variant="outline">
            <a href={`/api/tickets/${encodeURIComponent(id)}/transcript`} download>
              <Download aria-hidden="true" />
              Save as text
            </a>
          </Button>
          {ticket.state === "open" && <CloseButton id={id} onClosing={() => setClosing(true)} />}
        </div>
      )}
    </>
  );
}
