import { ApplicationCommandOptionType as Option, type ChatInputCommandInteraction } from "discord.js";
import { spend } from "@/core/limits";
import { Refusal } from "@/core/refusal";
import { closeTicket, reopenTicket } from "@/domain/tickets/change";
import { openTicketsOf, type Ticket, ticketsOf } from "@/domain/tickets/queries";
import type { Command, Desk, Reply } from "../interactions/command-types";
import { offer } from "./asking";
import { ownTranscript } from "./member-buttons";
import { number, ticketMeant, topic } from "./options";
import { closed, reopened } from "./messages";

/** What a member does about their own tickets, wherever they are in the server. */
export const support: Command = {
  data: {
    name: "support",
    description: "Ask our support team",
    options: [
      {
        type: Option.Subcommand,
        name: "open",
        description: "Open a ticket",
        options: [topic],
      },
      {
        type: Option.Subcommand,
        name: "close",
        description: "End one of your tickets",
        options: [{ ...number, description: "Its number, where you have several" }],
      },
      {
        type: Option.Subcommand,
        name: "reopen",
        description: "Open one of your tickets again, within a week of its end",
        options: [{ ...number, description: "Its number; without one it is your last" }],
      },
      {
        type: Option.Subcommand,
        name: "transcript",
        description: "All that was said in one of your tickets, as a file",
        options: [{ ...number, description: "Its number; without one it is your last" }],
      },
    ],
  },
  answer(desk, asked) {
    const verb = asked.options.getSubcommand();
    if (verb === "open") return offer(desk, asked, asked.options.getString("topic", true));
    if (verb === "transcript") return transcript(desk, asked);
    return verb === "close" ? close(desk, asked) : reopen(desk, asked);
  },
};

async function transcript(desk: Desk, asked: ChatInputCommandInteraction): Promise<Reply> {
  const [last] = await ticketsOf(desk.ctx, asked.user.id);
  const ticket = (await ownMeant(desk, asked)) ?? last;
  return ticket ? ownTranscript(desk, ticket) : { content: "You have had no ticket." };
}

async function close(desk: Desk, asked: ChatInputCommandInteraction): Promise<Reply> {
  const open = await openTicketsOf(desk.ctx, asked.user.id);
  const [first, second] = open;
  if (!first) return { content: "You have no open ticket." };
  const meant = await ownMeant(desk, asked);
  if (!meant && second) return { content: `Which one? ${open.map(named).join(", ")}.` };
  const ticket = meant ?? first;
  await closeTicket(desk.ctx, ticket, { by: "member", actor: asked.user.id, reason: null });
  return { content: closed(ticket) };
}

async function reopen(desk: Desk, asked: ChatInputCommandInteraction): Promise<Reply> {
  const last = (await ticketsOf(desk.ctx, asked.user.id)).find(({ state }) => state === "closed");
  const ticket = (await ownMeant(desk, asked)) ?? last;
  if (!ticket) return { content: "You have no ticket that could be opened again." };
  await spend(desk.ctx, desk.limits.ticket, asked.user.id);
  await reopenTicket(desk.ctx, ticket, asked.user.id);
  return { content: reopened(ticket) };
}

/** Somebody else's is said not to be there: its number tells nothing. */
async function ownMeant({ ctx }: Desk, asked: ChatInputCommandInteraction): Promise<Ticket | null> {
  const meant = await ticketMeant(ctx, asked);
  if (meant?.discordUserId === asked.user.id) return meant;
  if (asked.options.getInteger("number") !== null) throw new Refusal("ticket_unknown");
  return null;
}

const named = ({ number: known }: Ticket) => `#${known}`;
