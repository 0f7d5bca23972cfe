import type { Transcript } from "@/domain/tickets/view";
import { topicOf } from "./words";

/** A transcript as plain text, for staff. */
export function written({ ticket, messages }: Transcript): string {
  const head = [
    `Ticket #${ticket.number} · ${topicOf(ticket.topic).name} · ${ticket.state}`,
    `Opened ${ticket.openedAt.toISOString()} by ${ticket.memberName} (${ticket.discordUserId})`,
    ...(ticket.closedAt
      ? [
          `Closed ${ticket.closedAt.toISOString()} by ${ticket.closedBy}: ${ticket.closeReason ?? "no reason"}`,
        ]
      : []),
    `Asked: ${ticket.question}`,
  ];
  const body = messages.flatMap((one) => [
    "",
    `[${one.at.toISOString()}] ${one.authorName} (${one.author})${one.deletedAt ? " [deleted]" : ""}`,
    one.content,
    ...one.before.map((text) => `  before: ${text}`),
    ...one.files.map(({ name, size, state }) => `  file: ${name} (${size} bytes, ${state})`),
  ]);
  return [...head, ...body, ""].join("\n");
}
