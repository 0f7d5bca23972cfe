import { eq } from "drizzle-orm";
import { noPayload } from "@/core/database/topic";
import { button, heading, paragraph } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { emailTemplate } from "../../mail/template";
import { accounts } from "../../schema/accounts";
import { tickets } from "../../schema/tickets";
import { topicName } from "../reading/topics";

/** An answer waits in a ticket whose thread the customer is not in; the subject is the ticket's id. */
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
    return {
      to: account.email,
      id: `ticket-answer.${ticket.id}.${ticket.mailedAt?.getTime() ?? 0}`,
      email: writeAnswerWaits({
        number: ticket.number,
        topic: topicName(ticket.topic),
        via: ticket.via,
        isClosed: ticket.state === "closed",
        isFull: ticket.fullAt !== null,
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
  ticketUrl: string;
};

export function writeAnswerWaits({ number, topic, via, isClosed, isFull, ticketUrl }: Content): Email {
  const title = isClosed ? `Your ticket #${number} was closed` : `Support answered your ticket #${number}`;
  const what = `There is news in your ticket #${number} about ${topic}.`;
  const next = isClosed
    ? `You can read the whole conversation${isFull ? " and rate it" : ", rate it, and open it again for a week"}.`
    : "Read the answer and reply on the ticket's page.";
  return {
    kind: "ticket-answer",
    subject: title,
    preheader: what,
    blocks: [
      heading(title),
      paragraph(`${what} ${next}`),
      button(isClosed ? "See the ticket" : "Read the answer", ticketUrl),
    ],
    why: `You get this email because you opened the ticket ${via === "site" ? "on our site" : "in our Discord server, where you can't see its thread"}. There is at most one an hour.`,
  };
}
