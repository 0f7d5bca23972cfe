import { ButtonStyle, EmbedBuilder, TimestampStyles, time } from "discord.js";
import { brand } from "@/brand/brand";
import { support } from "@/brand/tickets";
import type { Ticket } from "@/domain/tickets/queries";
import { inert } from "../interactions/markdown";
import { button, door, type Row, row } from "./buttons";
import { isOpenAt, nextOpening } from "./support-hours";

export type TopicName = keyof typeof support.topics;
export const topicNames = Object.keys(support.topics) as TopicName[];
export const isTopic = (name: string): name is TopicName => Object.hasOwn(support.topics, name);
export const topicOf = (name: string) => support.topics[isTopic(name) ? name : "other"];

export type Message = { content?: string; embeds?: EmbedBuilder[]; components?: Row[] };

/** What somebody typed, shown as they typed it: in a block nothing is read as markup, link or mention. */
export const quoted = (text: string): string => `\`\`\`\n${text.replaceAll("`", "ˋ")}\n\`\`\``;

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
    presence(now),
    ...(linked
      ? []
      : [
          "Your Discord account is not connected to an account of ours. Connecting it lets us look up your license.",
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

/** Whether somebody is there now, or when. */
function presence(now: Date): string {
  if (isOpenAt(support.hours, now)) return "Somebody of our support team answers you here.";
  const back = nextOpening(support.hours, now);
  const when = back ? ` and back ${time(back, TimestampStyles.RelativeTime)}` : "";
  return `Our support team is away right now${when}. Write all you know; you'll be answered here.`;
}

/** `page`: where its member reads it on the site; null for one without an account. */
export function farewell(ticket: Ticket, page: URL | null): Message {
  const by = { member: "you", staff: "support", shop: "itself" }[ticket.closedBy ?? "shop"];
  const reason = ticket.closeReason ? `\n${quoted(ticket.closeReason)}` : "";
  return {
    content: `**Ticket #${ticket.number} was closed by ${by}.**${reason}\nHow was it? For a week it can be opened again, here or by /support reopen; all that was said is kept for you: the button below, or /support transcript.`,
    components: [
      row(
        [1, 2, 3, 4, 5].map((stars) =>
          button(`ticket-stars:${ticket.id}:${stars}`, "★".repeat(stars), ButtonStyle.Secondary),
        ),
      ),
      row([
        button(`ticket-reopen:${ticket.id}:${ticket.round}`, "Open again", ButtonStyle.Primary),
        button(`ticket-transcript:${ticket.id}`, "Transcript"),
        ...(page ? [door("On the site", page)] : []),
      ]),
    ],
  };
}

/** A canned answer with its blanks filled in; what fills one is not looked at for others. */
export function tagText(name: keyof typeof support.tags, ticket: Ticket): string {
  const blanks: Record<string, string> = {
    member: inert(ticket.memberName),
    ticket: `#${ticket.number}`,
    product: brand.product,
  };
  return support.tags[name].replace(/\{(\w+)\}/g, (whole, blank: string) => blanks[blank] ?? whole);
}

/** Discord takes 100 characters. */
export const threadName = ({ number, topic, memberName }: Ticket): string =>
  `#${number} ${topicOf(topic).name} · ${memberName}`.slice(0, 100).toWellFormed();

export const closed = ({ number }: Ticket): string => `Ticket #${number} is closed.`;
export const reopened = ({ number }: Ticket): string => `Ticket #${number} is open again.`;
