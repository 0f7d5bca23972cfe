import { ApplicationCommandOptionType as Option, type ChatInputCommandInteraction } from "discord.js";
import { member } from "@/core/base/actor";
import { spendUnlessRefused } from "@/core/limits/limits";
import { Refusal } from "@/core/base/refusal";
import { closeTicket, reopenTicket } from "@/domain/tickets/writing/change";
import { openTicketsOf, type Ticket, ticketsOf } from "@/domain/tickets/reading/queries";
import type { Command, CommandContext, Reply } from "../interactions/command-types";
import { ticketOfferReply, ownTranscript } from "./member-components";
import { number, ticketMeant, topic } from "./options";
import { closedText, reopenedText } from "./messages";

/** Members open, close and reopen their own tickets, anywhere in the server. */
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
        description: "Close one of your tickets",
        options: [{ ...number, description: "Its number, if you have several" }],
      },
      {
        type: Option.Subcommand,
        name: "reopen",
        description: "Reopen one of your tickets within a week of closing",
        options: [{ ...number, description: "Its number; your latest ticket if left out" }],
      },
      {
        type: Option.Subcommand,
        name: "transcript",
        description: "The whole conversation of one of your tickets, as a file",
        options: [{ ...number, description: "Its number; your latest ticket if left out" }],
      },
    ],
  },
  answer(context, interaction) {
    const subcommand = interaction.options.getSubcommand();
    if (subcommand === "open")
      return ticketOfferReply(context, interaction, interaction.options.getString("topic", true));
    if (subcommand === "transcript") return transcript(context, interaction);
    return subcommand === "close" ? close(context, interaction) : reopen(context, interaction);
  },
};

async function transcript(context: CommandContext, interaction: ChatInputCommandInteraction): Promise<Reply> {
  const [last] = await ticketsOf(context.ctx, ofMember(interaction));
  const ticket = (await ownMeant(context, interaction)) ?? last;
  return ticket
    ? ownTranscript(context, ticket, interaction.user.id)
    : { content: "You don't have any tickets." };
}

async function close(context: CommandContext, interaction: ChatInputCommandInteraction): Promise<Reply> {
  const open = await openTicketsOf(context.ctx, interaction.user.id);
  const [first, second] = open;
  if (!first) return { content: "You have no open ticket." };
  const meant = await ownMeant(context, interaction);
  if (!meant && second) return { content: `Which one? ${open.map(numberOf).join(", ")}.` };
  const ticket = meant ?? first;
  await closeTicket(context.ctx, ticket, { actor: member(interaction.user.id), reason: null });
  return { content: closedText(ticket) };
}

async function reopen(context: CommandContext, interaction: ChatInputCommandInteraction): Promise<Reply> {
  const last = (await ticketsOf(context.ctx, ofMember(interaction))).find(({ state }) => state === "closed");
  const ticket = (await ownMeant(context, interaction)) ?? last;
  if (!ticket) return { content: "You have no ticket that can be reopened." };
  await spendUnlessRefused(context.ctx, context.limits.ticket, interaction.user.id, () =>
    reopenTicket(context.ctx, ticket, member(interaction.user.id)),
  );
  return { content: reopenedText(ticket) };
}

const ofMember = ({ user }: ChatInputCommandInteraction) => ({ accountId: null, discordUserId: user.id });

/** Refuses another member's ticket as unknown, so that numbers reveal nothing. */
async function ownMeant(
  { ctx }: CommandContext,
  interaction: ChatInputCommandInteraction,
): Promise<Ticket | null> {
  const meant = await ticketMeant(ctx, interaction);
  if (meant?.discordUserId === interaction.user.id) return meant;
  if (interaction.options.getInteger("number") !== null) throw new Refusal("ticket_unknown");
  return null;
}

const numberOf = ({ number: known }: Ticket) => `#${known}`;
