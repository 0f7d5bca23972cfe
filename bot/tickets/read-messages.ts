import { type APIAttachment, type APIMessage, MessageType, type REST, Routes } from "discord.js";
import { z } from "zod";
import { discordId } from "@/contract/community";
import type { Heard, TicketRoom } from "@/domain/tickets/ticket-channels";
import { readAnswer } from "../discord/answers";
import { inThread } from "./calls";

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

/** Reads a page of what was said in a thread. */
export const saidAfter =
  (rest: REST): TicketRoom["saidAfter"] =>
  async (threadId, messageId) => {
    const query = new URLSearchParams({ limit: String(pageSize), after: messageId ?? "0" });
    const answer = await inThread(rest.get(Routes.channelMessages(threadId), { query }));
    // Discord's answer to this call; not every server gives the newest first
    const page = readAnswer(pageAnswer, "GET /channels/:id/messages", answer) as unknown as APIMessage[];
    const said = page.toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
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
