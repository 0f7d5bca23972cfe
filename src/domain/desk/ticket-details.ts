import type { TicketDetails } from "@/contract/wire/desk/details";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { pageRows } from "@/core/database/pages";
import { authorize } from "../permissions";
import { type Message, newestMessages } from "../tickets/reading/messages";
import { expectTicket, type Ticket } from "../tickets/reading/queries";
import { storedActorId } from "./actors";
import { timelineOf } from "./audit";
import { ticketRows } from "./tickets";
import { Refusal } from "@/core/base/refusal";

/** What staff see of a ticket: its newest messages with their notes, and its history. Refuses with `ticket_unknown`. */
export async function ticketDetails(ctx: Ctx, actor: Actor, id: string): Promise<TicketDetails> {
  authorize(actor, "desk.read");
  const ticket = await expectTicket(ctx, id);
  const [row] = await ticketRows(ctx, [id]);
  if (!row) throw new Refusal("ticket_unknown");
  const messages = await newestMessages(ctx, id, { after: null, most: pageRows }, "staff");
  return {
    ...row,
    via: ticket.via,
    name: ticket.memberName,
    discord_id: ticket.discordUserId,
    question: ticket.question,
    claimed_by: ticket.claimedBy && storedActorId(ticket.claimedBy),
    waiting_since: ticket.state === "open" ? ticket.waitingSince.toISOString() : null,
    closed_by: ticket.closedBy === "member" ? "customer" : ticket.closedBy,
    close_reason: ticket.closeReason,
    stars: ticket.stars,
    rating_comment: ticket.ratingComment,
    messages: messages.toReversed().map((message) => messageOnDesk(ticket, message)),
    timeline: await timelineOf(ctx, [{ kind: "ticket", id }]),
  };
}

const messageOnDesk = (ticket: Ticket, message: Message): TicketDetails["messages"][number] => ({
  id: message.id,
  author: authorOf(ticket, message),
  name: message.authorName,
  text: message.content,
  at: message.at.toISOString(),
  edited_at: message.editedAt?.toISOString() ?? null,
  deleted: message.deletedAt !== null,
  files: message.files.map(({ id, name, size, state, type }) => ({
    id,
    name,
    size,
    state: state === "copying" ? "waiting" : state,
    picture: type?.startsWith("image/") ?? false,
  })),
});

function authorOf({ discordUserId }: Ticket, { author, via, authorId }: Message) {
  if (author !== "member") return author;
  return via === "discord" && authorId !== discordUserId ? "guest" : "customer";
}
