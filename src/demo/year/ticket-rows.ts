import type { Write } from "@/core/database/commit";
import { ticketMessages, tickets } from "@/domain/schema/tickets";
import { nextNumber } from "@/domain/tickets/reading/numbers";
import { requestSync } from "@/domain/tickets/reading/thread";
import { idAt } from "./ids";
import { moment, type PastShop } from "./shop";
import type { PastTicket } from "./plan";

export const ticketId = ({ number, openedAt }: PastTicket) => idAt(openedAt, `ticket ${number}`);

/** A ticket from the site with its messages. The bot makes threads for those that are open, not for the others. */
export function ticketWrites(shop: PastShop, ticket: PastTicket): Write[] {
  const { db } = shop.ctx.store;
  const { customer, topic, question, openedAt, closed } = ticket;
  const id = ticketId(ticket);
  const openedOn = moment(openedAt);
  return [
    db.insert(tickets).values({
      id,
      // one query each, so that a customer's own ticket meanwhile is no conflict
      number: nextNumber,
      topic,
      via: "site",
      memberName: customer.username,
      accountId: customer.id,
      question,
      openedAt: openedOn,
      waitingSince: closed ? moment(closed.answeredAt) : openedOn,
      viewedAt: openedOn,
      ...(closed ? closedColumns(closed) : {}),
    }),
    db.insert(ticketMessages).values(messagesOf(shop, ticket)),
    ...(closed ? [] : [requestSync(shop.ctx, id)]),
  ];
}

const closedColumns = (closed: NonNullable<PastTicket["closed"]>) => ({
  state: "closed" as const,
  waitingFor: "member" as const,
  firstAnswerAt: moment(closed.answeredAt),
  answeredAt: moment(closed.answeredAt),
  closedAt: moment(closed.at),
  closedBy: "staff" as const,
  closeReason: closed.reason,
  stars: closed.stars,
  ratingComment: closed.comment,
});

function messagesOf(shop: PastShop, ticket: PastTicket) {
  const { number, customer, openedAt, closed } = ticket;
  const question = {
    id: idAt(openedAt, `question ${number}`),
    ticketId: ticketId(ticket),
    via: "site" as const,
    author: "member" as const,
    authorId: customer.id,
    authorName: customer.username,
    content: ticket.question,
    at: moment(openedAt),
    // there never was a thread to post it in
    postedAt: closed ? moment(openedAt) : null,
  };
  if (!closed) return [question];
  const { by, answer, answeredAt } = closed;
  const at = moment(answeredAt);
  const id = idAt(answeredAt, `answer ${number}`);
  const staff = { author: "staff" as const, authorId: shop.staff[by], authorName: by };
  return [question, { ...question, ...staff, id, content: answer, at, postedAt: at }];
}
