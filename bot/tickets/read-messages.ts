import { type APIAttachment, type APIMessage, MessageType, type REST, Routes } from "discord.js";
import { z } from "zod";
import { discordId } from "@/contract/community";
import type { ThreadMessage, TicketChannels } from "@/domain/tickets/ticket-channels";
import { readAnswer } from "../discord/answers";
import { inThread } from "./threads";

const pageSize = 100;
const pageAnswer = z.array(
  z.looseObject({
    id: z.string().regex(discordId),
    content: z.string(),
    timestamp: z.string(),
    author: z.looseObject({ id: z.string(), username: z.string() }),
    attachments: z.array(z.looseObject({ id: z.string() })),
  }),
);

/** Reads a page of a thread's messages. */
export const messagesAfter =
  (rest: REST): TicketChannels["messagesAfter"] =>
  async (threadId, messageId) => {
    const query = new URLSearchParams({ limit: String(pageSize), after: messageId ?? "0" });
    const answer = await inThread(rest.get(Routes.channelMessages(threadId), { query }));
    // not every server gives the newest first
    const page = readAnswer(pageAnswer, "GET /channels/:id/messages", answer) as unknown as APIMessage[];
    const messages = page.toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
    return {
      messages: messages.filter(isWritten).map((message) => threadMessage(threadId, message)),
      next: page.length < pageSize ? null : (messages.at(-1)?.id ?? null),
    };
  };

/** What people and the bot write, but not Discord's own messages about joins and names. */
export const isWritten = ({ type }: { type: MessageType }) =>
  type === MessageType.Default || type === MessageType.Reply || type === MessageType.ChatInputCommand;

type Written = Pick<APIMessage, "id" | "content" | "author" | "timestamp" | "edited_timestamp"> & {
  attachments: APIAttachment[];
};

export const threadMessage = (
  threadId: string,
  { id, content, author, timestamp, edited_timestamp: edited, attachments }: Written,
): ThreadMessage => ({
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
