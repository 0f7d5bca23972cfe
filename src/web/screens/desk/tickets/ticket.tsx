import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { answerTicket } from "@/contract/operations/tickets";
import type { TicketDetails } from "@/contract/wire/desk/details";
import { second } from "@/contract/vocabulary/time";
import { lowerWord, ticketWords, turnWords } from "@/contract/vocabulary/state-words";
import { detailsQuery } from "../../../api/desk/details";
import { isTouched, whileTouched } from "../../../api/desk/presence";
import { Card, CardTitle } from "../../../ui/card";
import { DetailPage } from "../detail/detail-page";
import { Detailed } from "../detail/detailed";
import { type Fact, fact, Facts } from "../detail/facts";
import { useMe } from "../parts/me";
import { mayDo } from "../operation/operation";
import { OperationBar } from "../operation/operation-bar";
import { useOpened } from "../palette/opened";
import { Status } from "../parts/status";
import { When } from "../parts/when";
import { Answer } from "./answer";
import { CustomerCard } from "./customer-card";
import { DeskConversation } from "./conversation";
import { ticketOperations } from "./operations";

/** How often an open ticket is looked at for new messages while somebody is there. */
const lookEvery = 5 * second;

/** A ticket's conversation, its customer beside it, and what staff can do. */
export function Ticket() {
  const { id = "" } = useParams();
  const query = useQuery({
    ...detailsQuery("tickets", id),
    refetchInterval: whileTouched(lookEvery),
    refetchOnWindowFocus: isTouched,
  });
  const name = query.data && `#${query.data.number}`;
  useOpened(name === undefined ? null : { to: `/desk/tickets/${id}`, name, kind: "Ticket" });
  return <Detailed query={query}>{(ticket) => <Page key={id} ticket={ticket} />}</Detailed>;
}

function Page({ ticket }: { ticket: TicketDetails }) {
  const me = useMe();
  return (
    <DetailPage
      list={{ to: "/desk/tickets", name: "Tickets" }}
      title={`#${ticket.number} ${ticket.topic}`}
      badge={<Status of={ticket.status} words={ticketWords} />}
      operations={<OperationBar operations={ticketOperations(ticket)} />}
      timeline={ticket.timeline}
      aside={ticket.customer && <CustomerCard id={ticket.customer.id} />}
    >
      <Card aria-label="Conversation" className="gap-4">
        <CardTitle>Conversation</CardTitle>
        <DeskConversation ticket={ticket} />
        {mayDo(me, answerTicket) && <Answer ticket={ticket} />}
      </Card>
      <Facts title="Ticket" facts={factsOf(ticket)} />
    </DetailPage>
  );
}

const factsOf = (ticket: TicketDetails): (Fact | null)[] => [
  fact("Name", ticket.name),
  fact("Opened", <When at={ticket.opened_at} />),
  fact("Opened in", ticket.via === "site" ? "The website" : "Discord"),
  ticket.discord_id !== null
    ? fact("Discord user", <span className="font-mono text-xs">{ticket.discord_id}</span>, ticket.discord_id)
    : null,
  ticket.waiting_for !== null
    ? fact(`Waits for ${lowerWord(turnWords[ticket.waiting_for])}`, <When at={ticket.waiting_since} />)
    : null,
  ticket.closed_at !== null ? fact("Closed", <When at={ticket.closed_at} />) : null,
  ticket.close_reason !== null ? fact("Closed because", ticket.close_reason) : null,
  ticket.stars !== null ? fact("Stars", `${ticket.stars} of 5`) : null,
  ticket.rating_comment !== null ? fact("Comment", ticket.rating_comment) : null,
];
