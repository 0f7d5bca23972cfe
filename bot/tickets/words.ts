import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  EmbedBuilder,
  TimestampStyles,
  time,
} from "discord.js";
import { brand } from "@/brand/brand";
import { support } from "@/brand/tickets";
import type { Customer } from "@/domain/staff/customer";
import type { Ticket } from "@/domain/tickets/find";
import { card as customerCard } from "../commands/customer";
import { plain } from "../words";
import { isOpenAt, nextOpening } from "./hours";

export type TopicName = keyof typeof support.topics;
export const topicNames = Object.keys(support.topics) as TopicName[];
export const isTopic = (name: string): name is TopicName => Object.hasOwn(support.topics, name);
export const topicOf = (name: string) => support.topics[isTopic(name) ? name : "other"];

/** Looks of a button that does something here. */
type Pressable = Exclude<ButtonStyle, ButtonStyle.Link | ButtonStyle.Premium>;

type Row = ActionRowBuilder<ButtonBuilder>;
export type Message = { content?: string; embeds?: EmbedBuilder[]; components?: Row[] };

/** What somebody typed, shown as they typed it: in a block nothing is read as markup, link or mention. */
const quoted = (text: string): string => `\`\`\`\n${text.replaceAll("`", "ˋ")}\n\`\`\``;

export const panel = (): Message => ({
  embeds: [new EmbedBuilder().setTitle(support.panel.title).setDescription(support.panel.text)],
  components: [
    row(
      topicNames.map((name) =>
        button(`ticket-topic:${name}`, topicOf(name).name, ButtonStyle.Secondary).setEmoji(
          topicOf(name).emoji,
        ),
      ),
    ),
  ],
});

/** The answers to common questions, before anybody is asked. */
export const commonAnswers = (topic: TopicName, memberId: string): Message => {
  const { name, common } = topicOf(topic);
  const embed = new EmbedBuilder().setTitle(name);
  if (common.length === 0) embed.setDescription("Tell us what it is about.");
  else {
    embed.setDescription("Perhaps this answers it already:");
    for (const [question, answer] of common) embed.addFields({ name: question, value: answer });
  }
  return {
    embeds: [embed],
    components: [row([button(`ticket-ask:${topic}:${memberId}`, "Open a ticket", ButtonStyle.Primary)])],
  };
};

/** The first message of a thread. */
export function greeting(
  ticket: Ticket,
  { linked, settings, now }: { linked: boolean; settings: URL; now: Date },
): Message {
  const lines = [
    `**Ticket #${ticket.number} · ${topicOf(ticket.topic).name}**`,
    ...(ticket.threadsLost > 0
      ? ["The thread of this ticket was deleted, so it goes on here. Nothing of it is lost."]
      : []),
    quoted(ticket.question),
    isOpenAt(support.hours, now)
      ? "Somebody of our support team answers you here."
      : `Our support team is away right now and back ${time(nextOpening(support.hours, now), TimestampStyles.RelativeTime)}. Write all you know; you'll be answered here.`,
    ...(linked
      ? []
      : [
          "Your Discord account is not connected to an account of ours. Connecting it lets us look up your licence.",
        ]),
  ];
  const leave = button(
    `ticket-leave:${ticket.id}:${ticket.discordUserId}`,
    "Close ticket",
    ButtonStyle.Secondary,
  );
  return {
    content: lines.join("\n"),
    components: [row(linked ? [leave] : [leave, door("Connect", settings)])],
  };
}

export function farewell(ticket: Ticket, page: URL): Message {
  const by = { member: "you", staff: "support", shop: "itself" }[ticket.closedBy ?? "shop"];
  const reason = ticket.closeReason ? `\n${quoted(ticket.closeReason)}` : "";
  return {
    content: `**Ticket #${ticket.number} was closed by ${by}.**${reason}\nHow was it? For a week it can be opened again; all that was said is kept for you.`,
    components: [
      row(
        [1, 2, 3, 4, 5].map((stars) =>
          button(`ticket-stars:${ticket.id}:${stars}`, "★".repeat(stars), ButtonStyle.Secondary),
        ),
      ),
      row([
        button(`ticket-reopen:${ticket.id}:${ticket.round}`, "Open again", ButtonStyle.Primary),
        door("Transcript", page),
      ]),
    ],
  };
}

/** What staff see, and only they. */
export function staffCard(ticket: Ticket, customer: Customer | null, earlier: Ticket[]): Message {
  const embed = customer ? customerCard(customer) : new EmbedBuilder().setTitle("No account connected");
  embed.setAuthor({ name: `#${ticket.number} · ${topicOf(ticket.topic).name} · ${standing(ticket)}` });
  embed.setDescription(quoted(ticket.question));
  embed.addFields(
    { name: "Member", value: `<@${ticket.discordUserId}> ${plain(ticket.memberName)}`, inline: true },
    { name: "Thread", value: ticket.threadId ? `<#${ticket.threadId}>` : "None", inline: true },
    { name: "Claimed by", value: ticket.claimedBy ? `<@${ticket.claimedBy}>` : "Nobody", inline: true },
    { name: "Earlier tickets", value: earlierLines(earlier) },
  );
  if (ticket.closeReason)
    embed.addFields({ name: "Closed because", value: quoted(ticket.closeReason.slice(0, 900)) });
  return { embeds: [embed], components: cardButtons(ticket, customer !== null) };
}

function cardButtons(ticket: Ticket, known: boolean): Row[] {
  const of = (verb: string, label: string, style: Pressable = ButtonStyle.Secondary) =>
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
  `**#${ticket.number}** ${topicOf(ticket.topic).name}, ${standing(ticket)}, ${time(ticket.openedAt, TimestampStyles.RelativeTime)}, ${plain(ticket.memberName)}${ticket.threadId ? ` <#${ticket.threadId}>` : ""}`;

const earlierLines = (earlier: Ticket[]): string =>
  earlier.length === 0
    ? "None"
    : earlier
        .slice(0, 5)
        .map(({ number, topic, state }) => `#${number} ${topicOf(topic).name}, ${state}`)
        .join("\n");

/** A canned answer with its blanks filled in. */
export const tagText = (name: keyof typeof support.tags, ticket: Ticket): string =>
  support.tags[name]
    .replaceAll("{member}", plain(ticket.memberName))
    .replaceAll("{ticket}", `#${ticket.number}`)
    .replaceAll("{product}", brand.product);

const row = (buttons: ButtonBuilder[]): Row => new ActionRowBuilder<ButtonBuilder>().addComponents(buttons);
const button = (id: string, label: string, style: Pressable) =>
  new ButtonBuilder().setCustomId(id).setLabel(label).setStyle(style);
const door = (label: string, url: URL) =>
  new ButtonBuilder().setStyle(ButtonStyle.Link).setLabel(label).setURL(url.href);
