import {
  type ListedTicket,
  type TicketDetails,
  type TicketMessage,
  type TicketSummary,
  ticketSummary,
} from "@/contract/wire/tickets";
import { toWire } from "@/contract/wire/to-wire";
import { isUnread } from "@/domain/tickets/writing/answered";
import { reopenableUntil } from "@/domain/tickets/writing/change";
import type { LastMessage, Message } from "@/domain/tickets/reading/messages";
import type { Ticket } from "@/domain/tickets/reading/queries";
import { topicName } from "@/domain/tickets/reading/topics";
import type { Shop } from "./shop";

const summaryOnTheWire = (ticket: Ticket): TicketSummary =>
  toWire(ticketSummary, {
    ...ticket,
    topic: topicName(ticket.topic),
    waitingFor: ticket.state === "open" ? ticket.waitingFor : null,
    unread: isUnread(ticket),
  });

const beginning = 160;

/** A ticket in the list; `last` is its newest message, if any. */
export function listedOnTheWire(ticket: Ticket, last: LastMessage | undefined): ListedTicket {
  const { author, authorId, content } = last ?? {
    author: "member",
    authorId: null,
    content: ticket.question,
  };
  const isGuest = last !== undefined && isOfGuest(ticket, { ...last, authorId: authorId ?? "" });
  const written = author === "staff" ? "staff" : "member";
  const text = content.slice(0, beginning).toWellFormed();
  return { ...summaryOnTheWire(ticket), last: { author: isGuest ? "guest" : written, text } };
}

/** A ticket as its member may read it, without the messages. */
export const ticketOnTheWire = (ticket: Ticket, shop: Pick<Shop, "ctx" | "mailState">): TicketDetails => ({
  ...summaryOnTheWire(ticket),
  question: ticket.question,
  answers_by: answersBy(ticket, shop),
  reopen_until: reopenableUntil(ticket, shop.ctx.now())?.toISOString() ?? null,
  rating_comment: ticket.ratingComment,
});

function answersBy({ via, inThread }: Ticket, { mailState }: Pick<Shop, "mailState">) {
  if (via === "discord" || inThread) return "discord";
  return mailState() === "off" ? "site" : "mail";
}

export const messageOnTheWire = (
  ticket: Ticket,
  { author, ...one }: Message,
  { botState }: Pick<Shop, "botState">,
): TicketMessage => ({
  id: one.id,
  author: authorOnTheWire(ticket, author, one),
  name: one.authorName,
  content: one.content,
  at: one.at.toISOString(),
  edited_at: one.editedAt?.toISOString() ?? null,
  deleted: one.deletedAt !== null,
  before: one.before,
  files: one.files.map(({ id: file, name, size, state, type }) => ({
    id: file,
    name,
    size,
    state: state === "copying" ? "waiting" : state,
    picture: type?.startsWith("image/") ?? false,
  })),
  waiting: one.via === "site" && one.postedAt === null && botState() === "away",
});

type Author = Pick<Message, "authorId" | "via">;

function authorOnTheWire(ticket: Ticket, author: Message["author"], one: Author): TicketMessage["author"] {
  if (author === "note") throw new Error("a note is for staff alone");
  return author === "member" && isOfGuest(ticket, { ...one, author }) ? "guest" : author;
}

const isOfGuest = (
  { discordUserId }: Ticket,
  { author, via, authorId }: Author & { author: Message["author"] },
): boolean => author === "member" && via === "discord" && authorId !== discordUserId;
