import { answerTicket } from "@/contract/operations/tickets";
import type { TicketDetails } from "@/contract/wire/desk/details";
import { second } from "@/contract/vocabulary/time";
import { lowerWord, ticketWords, turnWords } from "@/contract/vocabulary/state-words";
import { Badge } from "../../../ui/badge";
import { Card, CardTitle } from "../../../ui/card";
import { DetailPage } from "../detail/detail-page";
import { detailScreen } from "../detail/detail-screen";
import { type Fact, fact, Facts, idFact } from "../detail/facts";
import { actorName } from "../parts/actor";
import { useMe } from "../parts/me";
import { mayDo } from "../operation/operation";
import { OperationBar } from "../operation/operation-bar";
import { Status } from "../parts/status";
import { When } from "../parts/when";
import { Answer } from "./answer";
import { CustomerCard, NoAccount } from "./customer-card";
import { DeskConversation } from "./conversation";
import { ticketOperations } from "./operations";

/** A ticket's conversation and customer, and what staff can do. */
export const Ticket = detailScreen("tickets", {
  kind: "Ticket",
  nameOf: ({ number }) => `#${number}`,
  page: (ticket) => <Page ticket={ticket} />,
  // an open ticket gets new messages
  pollMilliseconds: 5 * second,
});

function Page({ ticket }: { ticket: TicketDetails }) {
  const me = useMe();
  return (
    <DetailPage
      list={{ to: "/desk/tickets", name: "Tickets" }}
      title={`#${ticket.number} ${ticket.topic}`}
      badge={
        <>
          <Status of={ticket.status} words={ticketWords} />
          {ticket.status === "open" && ticket.claimer && <Badge>With {actorName(ticket.claimer)}</Badge>}
        </>
      }
      operations={<OperationBar operations={ticketOperations(me, ticket)} />}
      timeline={ticket.timeline}
      aside={ticket.customer ? <CustomerCard id={ticket.customer.id} /> : <NoAccount />}
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
  ticket.claimer !== null ? fact("Claimed by", actorName(ticket.claimer)) : null,
  ticket.discord_id !== null ? idFact("Discord user", ticket.discord_id) : null,
  ticket.waiting_for !== null
    ? fact(`Waiting for ${lowerWord(turnWords[ticket.waiting_for])}`, <When at={ticket.waiting_since} />)
    : null,
  ticket.closed_at !== null ? fact("Closed", <When at={ticket.closed_at} />) : null,
  ticket.close_reason !== null ? fact("Closed because", ticket.close_reason) : null,
  ticket.stars !== null ? fact("Stars", `${ticket.stars} of 5`) : null,
  ticket.rating_comment !== null ? fact("Comment", ticket.rating_comment) : null,
];
