import { eq } from "drizzle-orm";
import { noPayload } from "@/core/database/topic";
import { button, heading, paragraph, quotation } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { emailTemplate } from "../../mail/template";
import { accounts } from "../../schema/accounts";
import { tickets } from "../../schema/tickets";
import { newestAnswer } from "../reading/messages";
import { topicName } from "../reading/topics";

/** An answer in a ticket whose thread the customer is not in, in words at a confirmed address; the subject is the ticket's id. */
export const answerWaitsEmail = emailTemplate({
  name: "mail.ticket-answer",
  payload: noPayload,
  dropWhenOff: true,
  async prepare(ctx, { subject }, { publicUrl }) {
    const [found] = await ctx.store.db
      .select({ ticket: tickets, account: accounts })
      .from(tickets)
      .innerJoin(accounts, eq(accounts.id, tickets.accountId))
      .where(eq(tickets.id, subject));
    if (!found) return null;
    const { ticket, account } = found;
    const ticketUrl = new URL("/dashboard/ticket", publicUrl);
    ticketUrl.searchParams.set("id", ticket.id);
    const isConfirmed = account.emailConfirmedAt !== null;
    return {
      to: account.email,
      id: `ticket-answer.${ticket.id}.${ticket.mailedAt?.getTime() ?? 0}`,
      email: writeAnswerWaits({
        number: ticket.number,
        topic: topicName(ticket.topic),
        via: ticket.via,
        isClosed: ticket.state === "closed",
        isFull: ticket.fullAt !== null,
        answer: isConfirmed ? await newestAnswer(ctx, ticket.id, ticket.viewedAt) : null,
        ticketUrl: ticketUrl.href,
      }),
      about: { subject: ticket.id, accountId: account.id },
    };
  },
});

type Content = {
  number: number;
  topic: string;
  via: "discord" | "site";
  isClosed: boolean;
  isFull: boolean;
  /** What staff answered; null if there is nothing new, or nobody has confirmed the address. */
  answer: string | null;
  ticketUrl: string;
};

export function writeAnswerWaits(content: Content): Email {
  const { number, topic, via, isClosed, isFull, answer, ticketUrl } = content;
  const title = isClosed ? `Your ticket #${number} was closed` : `Support replied to your ticket #${number}`;
  const what = isClosed
    ? `Your ticket about ${topic} is closed.`
    : `An answer is waiting in your ticket about ${topic}.`;
  const closed = `You can still read it${isFull ? " and rate it" : ", rate it, and reopen it for a week"}.`;
  return {
    kind: "ticket-answer",
    subject: title,
    preheader: what,
    blocks: [
      heading(title),
      ...(answer === null || isClosed ? [paragraph(isClosed ? `${what} ${closed}` : what)] : []),
      ...(answer === null ? [] : [quotation(beginning(answer))]),
      button(isClosed ? "See the ticket" : answer === null ? "Read the answer" : "Reply", ticketUrl),
    ],
    why: `You're receiving this because you opened the ticket ${via === "site" ? "on our site" : "in our Discord server, where you can't see its thread"}. We send at most one an hour.`,
  };
}

const mostOfAnAnswer = 1_000;

const beginning = (text: string): string =>
  text.length <= mostOfAnAnswer ? text : `${text.slice(0, mostOfAnAnswer - 1).toWellFormed()}…`;
