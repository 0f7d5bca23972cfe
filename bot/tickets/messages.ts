import { AttachmentBuilder, ButtonStyle, TimestampStyles, time } from "discord.js";
import { brand } from "@/brand/brand";
import { support } from "@/brand/tickets";
import type { Ticket } from "@/domain/tickets/reading/queries";
import { topicOf } from "@/domain/tickets/reading/topics";
import { yieldToEventLoop } from "@/core/base/yield";
import type { Message } from "../discord/posts";
import { button, linkButton, newEmbed, row } from "../interactions/components";
import { inert, quoted } from "../interactions/markdown";
import { isOpenAt, nextOpening } from "./support-hours";

/** Answers to common questions, shown before a ticket can be opened. */
export const commonAnswers = (topic: string, memberId: string): Message => {
  const { name, common = [] } = topicOf(topic);
  const embed = newEmbed().setTitle(name);
  if (common.length === 0) embed.setDescription("What do you need help with?");
  else {
    embed.setDescription("Maybe this already answers your question:");
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
      ? ["The thread of this ticket was deleted, so it continues here. Nothing is lost."]
      : []),
    ...(ticket.via === "site" ? [siteLine(ticket)] : memberLines(ticket, { linked, now })),
  ];
  const leave = button(`ticket-leave:${ticket.id}:${ticket.discordUserId}`, "Close ticket");
  return {
    content: lines.join("\n"),
    components: [row(linked ? [leave] : [leave, linkButton("Connect", settings)])],
  };
}

const memberLines = (ticket: Ticket, { linked, now }: { linked: boolean; now: Date }): string[] => [
  quoted(ticket.question),
  presence(now),
  ...(linked
    ? []
    : [
        "Your Discord account isn't connected to an account with us. Connecting it lets us look up your license.",
      ]),
];

/** The question of a ticket from the site follows as a message. */
const siteLine = ({ memberName, discordUserId }: Ticket): string =>
  `${inert(memberName)} opened this ticket on the website${discordUserId === null ? "" : ` and is here as <@${discordUserId}>`}. Messages here also appear on the ticket's page.`;

/** Whether support is there now, or when it will be. */
function presence(now: Date): string {
  if (isOpenAt(support.hours, now)) return "Someone from our support team will answer you here.";
  const back = nextOpening(support.hours, now);
  const when = back ? ` and back ${time(back, TimestampStyles.RelativeTime)}` : "";
  return `Our support team is away right now${when}. Write down everything you know, and we'll answer you here.`;
}

/** `page`: the ticket's page on the site; null for a member without an account. */
export function farewell(ticket: Ticket, page: URL | null): Message {
  const how = { member: "by you", staff: "by support", shop: "automatically" }[ticket.closedBy ?? "shop"];
  const reason = ticket.closeReason ? `\n${quoted(ticket.closeReason)}` : "";
  const again = ticket.fullAt ? "" : " You can reopen it for a week, here or with /support reopen.";
  return {
    content: `**Ticket #${ticket.number} was closed ${how}.**${reason}\nHow did we do?${again} To keep the whole conversation, press Transcript below or use /support transcript.`,
    components: [
      row([1, 2, 3, 4, 5].map((stars) => button(`ticket-stars:${ticket.id}:${stars}`, "★".repeat(stars)))),
      row([
        // disabled, not left out: the bot finds this message by it
        button(`ticket-reopen:${ticket.id}:${ticket.round}`, "Reopen", ButtonStyle.Primary).setDisabled(
          ticket.fullAt !== null,
        ),
        button(`ticket-transcript:${ticket.id}`, "Transcript"),
        ...(page ? [linkButton("On the site", page)] : []),
      ]),
    ],
  };
}

/** Thanks for a rating, and asks for a comment. */
export const ratingReply = (ticketId: string, stars: number): Message => ({
  content: `Thank you for the ${"★".repeat(stars)}.`,
  components: [row([button(`ticket-comment:${ticketId}`, "Tell us what could be better")])],
});

/** A canned answer with its blanks filled in, in one pass: blanks within filled-in values stay. */
export function tagText(text: string, ticket: Ticket): string {
  const blanks: Record<string, string> = {
    member: inert(ticket.memberName),
    ticket: `#${ticket.number}`,
    product: brand.product,
  };
  return text.replace(/\{(\w+)\}/g, (whole, blank: string) => blanks[blank] ?? whole);
}

const digits = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/**
 * Names for a ticket's thread, the best first: Discord refuses some words in names and some numbers, of which it
 * publishes no list. The last has nothing of the kind. Discord's limit is 100 characters.
 */
export function threadNames({ number, topic, memberName }: Ticket): [string, ...string[]] {
  const named = `#${number} ${topicOf(topic).name}`;
  return [
    `${named} · ${memberName}`.slice(0, 100).toWellFormed(),
    named,
    `Ticket ${Array.from(String(number), (digit) => digits[Number(digit)]).join(" ")}`,
  ];
}

export const closedText = ({ number }: Ticket): string => `Ticket #${number} is closed.`;
export const reopenedText = ({ number }: Ticket): string => `Ticket #${number} is open again.`;

/** A little less than Discord takes in a message: https://discord.com/developers/docs/reference#uploading-files */
const mostBytes = 9 * 1024 * 1024;

const cutHere =
  "\n[Discord takes no longer file. The rest is kept too. See the ticket's page, or ask us for it.]\n";

/** A transcript as a text file, cut where a message takes no more: with every earlier version, a conversation may be longer. */
export async function transcriptFile(
  { number }: Pick<Ticket, "number">,
  text: AsyncGenerator<string>,
): Promise<AttachmentBuilder> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of text) {
    const next = Buffer.from(piece);
    bytes += next.length;
    pieces.push(bytes > mostBytes ? Buffer.from(cutHere) : next);
    if (bytes > mostBytes) break;
    await yieldToEventLoop();
  }
  return new AttachmentBuilder(Buffer.concat(pieces), { name: `ticket-${number}.txt` });
}
