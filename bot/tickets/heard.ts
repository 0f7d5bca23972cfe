import { type APIAttachment, type APIMessage, MessageType, type REST, Routes } from "discord.js";
import type { Heard, TicketRoom } from "@/domain/tickets/room";
import { inThread } from "./calls";

const pageSize = 100;

/** Reads a page of what was said in a thread. */
export const saidAfter =
  (rest: REST): TicketRoom["saidAfter"] =>
  async (threadId, messageId) => {
    const query = new URLSearchParams({ limit: String(pageSize), after: messageId ?? "0" });
    // Discord's answer to this call, newest first
    const page = (await inThread(rest.get(Routes.channelMessages(threadId), { query }))) as APIMessage[];
    const said = page.toReversed();
    return {
      said: said.filter(isSpoken).map((message) => heardIn(threadId, message)),
      next: page.length < pageSize ? null : (said.at(-1)?.id ?? null),
    };
  };

/** What people, and we, say; not what Discord tells of joins and names. */
export const isSpoken = ({ type }: { type: MessageType }) =>
  type === MessageType.Default || type === MessageType.Reply || type === MessageType.ChatInputCommand;

type Spoken = Pick<APIMessage, "id" | "content" | "author" | "timestamp" | "edited_timestamp"> & {
  attachments: APIAttachment[];
};

export const heardIn = (
  threadId: string,
  { id, content, author, timestamp, edited_timestamp: edited, attachments }: Spoken,
): Heard => ({
  id,
  threadId,
  authorId: author.id,
  authorName: author.global_name ?? author.username,
  isBot: author.bot ?? false,
  content,
  at: new Date(timestamp),
  editedAt: edited ? new Date(edited) : null,
  files: attachments.map((one) => ({ id: one.id, name: one.filename, size: one.size, url: one.url })),
});
