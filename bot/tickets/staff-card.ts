import { ButtonStyle, EmbedBuilder, TimestampStyles, time } from "discord.js";
import type { Customer } from "@/domain/customers/customer";
import type { Ticket } from "@/domain/tickets/queries";
import { card as customerCard } from "../commands/customer";
import { inert } from "../interactions/markdown";
import { button, type Row, row } from "./buttons";
import { type Message, quoted, topicOf } from "./messages";

/** What staff see, and only they. */
export function staffCard(ticket: Ticket, customer: Customer | null, earlier: Ticket[]): Message {
  const embed = customer ? customerCard(customer) : new EmbedBuilder().setTitle("No account connected");
  embed.setAuthor({ name: `#${ticket.number} · ${topicOf(ticket.topic).name} · ${standing(ticket)}` });
  embed.setDescription(quoted(ticket.question));
  embed.addFields(
    { name: "Member", value: `<@${ticket.discordUserId}> ${inert(ticket.memberName)}`, inline: true },
    { name: "Thread", value: ticket.threadId ? `<#${ticket.threadId}>` : "None", inline: true },
    { name: "Claimed by", value: ticket.claimedBy ? `<@${ticket.claimedBy}>` : "Nobody", inline: true },
    { name: "Earlier tickets", value: earlierLines(earlier) },
  );
  if (ticket.closeReason)
    embed.addFields({ name: "Closed because", value: quoted(ticket.closeReason.slice(0, 900)) });
  return { embeds: [embed], components: cardButtons(ticket, customer !== null) };
}

function cardButtons(ticket: Ticket, known: boolean): Row[] {
  const of = (verb: string, label: string, style?: Parameters<typeof button>[2]) =>
    button(`ticket-${verb}:${ticket.id}`, label, style);
  if (ticket.state === "closed") return [];
  const own = ticket.claimedBy ? of("unclaim", "Unclaim") : of("claim", "Claim", ButtonStyle.Primary);
  const tools = [of("device", "Reset device"), of("key", "Resend key"), of("role", "Resync role")];
  return [
    row([own, of("close", "Close", ButtonStyle.Danger), of("escalate", "Escalate"), of("note", "Note")]),
    ...(known ? [row(tools)] : []),
  ];
}

/** A ticket's state in a word or two. */
function standing(ticket: Ticket): string {
  if (ticket.state === "closed") return "closed";
  const waiting = ticket.waitingFor === "staff" ? "waits for us" : "waits for the member";
  return ticket.escalatedAt ? `escalated, ${waiting}` : waiting;
}

export const ticketLine = (ticket: Ticket): string =>
  `**#${ticket.number}** ${topicOf(ticket.topic).name}, ${standing(ticket)}, ${time(ticket.openedAt, TimestampStyles.RelativeTime)}, ${inert(ticket.memberName.slice(0, 40).toWellFormed())}${ticket.threadId ? ` <#${ticket.threadId}>` : ""}`;

const earlierLines = (earlier: Ticket[]): string =>
  earlier.length === 0
    ? "None"
    : earlier
        .slice(0, 5)
        .map(({ number, topic, state }) => `#${number} ${topicOf(topic).name}, ${state}`)
        .join("\n");
