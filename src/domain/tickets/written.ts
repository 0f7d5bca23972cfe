import { topicName } from "./topics";
import type { Transcript } from "./transcript";

/** A transcript as plain text; for staff with the numbers of whoever spoke. */
export function written({ ticket, messages }: Transcript, reader: "member" | "staff"): string {
  const { closedAt, closedBy, closeReason } = ticket;
  const who = reader === "staff" ? ` (${ticket.discordUserId})` : "";
  const head = [
    `Ticket #${ticket.number} · ${topicName(ticket.topic)} · ${ticket.state}`,
    `Opened ${ticket.openedAt.toISOString()} by ${ticket.memberName}${who}`,
    ...(closedAt
      ? [`Closed ${closedAt.toISOString()} by ${closedBy}: ${within(closeReason ?? "no reason")}`]
      : []),
    `Asked: ${within(ticket.question)}`,
  ];
  const body = messages.flatMap((one) => [
    "",
    `[${one.at.toISOString()}] ${one.authorName} (${one.author})${one.deletedAt ? " [deleted]" : ""}`,
    `  ${within(one.author === "shop" ? unmarked(one.content) : one.content)}`,
    ...one.before.map((text) => `  before: ${within(text)}`),
    ...one.files.map(({ name, size, state }) => `  file: ${within(name)} (${size} bytes, ${state})`),
  ]);
  return [...head, ...body, ""].join("\n");
}

/** Indented in all of its lines, so that no text passes for the head of another message. */
const within = (text: string): string => text.replace(/\r\n?|[\n\u2028\u2029]/g, "\n  ");

/** The shop's own words without Discord's marks for bold and quoted text, and for moments. */
const unmarked = (text: string): string =>
  text
    .replace(/```\n?|\*\*/g, "")
    .replace(/<t:(\d+)(?::\w)?>/g, (_, seconds) => new Date(Number(seconds) * 1000).toISOString())
    .trim();
