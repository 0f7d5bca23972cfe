import type { Ctx } from "@/core/database/context";
import { everyMessage, type Message, type Reader } from "./messages";
import type { Ticket } from "./queries";
import { topicName } from "./topics";

/** A ticket as plain text, a piece at a time; the staff's version includes notes and the member's Discord id. */
export async function* transcript(ctx: Ctx, ticket: Ticket, reader: Reader): AsyncGenerator<string> {
  yield headOf(ticket, reader);
  for await (const messages of everyMessage(ctx, ticket.id, reader))
    for (const message of messages) yield textOf(message);
}

function headOf(ticket: Ticket, reader: Reader): string {
  const { closedAt, closedBy, closeReason } = ticket;
  const { via, discordUserId } = ticket;
  const memberId = reader === "staff" && discordUserId !== null ? ` (${discordUserId})` : "";
  const head = [
    `Ticket #${ticket.number} · ${topicName(ticket.topic)} · ${ticket.state}`,
    `Opened ${ticket.openedAt.toISOString()} by ${ticket.memberName}${memberId}${via === "site" ? " on the website" : ""}`,
    ...(closedAt
      ? [`Closed ${closedAt.toISOString()} by ${closedBy}: ${indented(closeReason ?? "no reason")}`]
      : []),
    `Asked: ${indented(ticket.question)}`,
  ];
  return `${head.join("\n")}\n`;
}

function textOf(one: Message): string {
  const lines = [
    "",
    `[${one.at.toISOString()}] ${one.authorName} (${one.author})${one.deletedAt ? " [deleted]" : ""}`,
    `  ${indented(one.author === "shop" ? withoutMarkdown(one.content) : one.content)}`,
    ...one.before.map((text) => `  before: ${indented(text)}`),
    ...one.files.map(({ name, size, state }) => `  file: ${indented(name)} (${size} bytes, ${state})`),
  ];
  return `${lines.join("\n")}\n`;
}

/** Indents every line, so no text can pass for the head of another message. */
const indented = (text: string): string => text.replace(/\r\n?|[\n\u2028\u2029]/g, "\n  ");

/** The shop's own messages without Discord's markup for bold, code blocks and timestamps. */
const withoutMarkdown = (text: string): string =>
  text
    .replace(/```\n?|\*\*/g, "")
    .replace(/<t:(\d+)(?::\w)?>/g, (_, seconds) => new Date(Number(seconds) * 1000).toISOString())
    .trim();
