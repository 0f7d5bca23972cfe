import {
  type APIAttachment,
  type APIMessage,
  type APIMessageSnapshotFields,
  type CDN,
  MessageType,
  StickerFormatType,
} from "discord.js";
import type { ThreadMessage } from "@/domain/tickets/reading/ticket-channels";

/** Messages by people and the bot, without Discord's own about joins and names. */
export const isWritten = ({ type }: { type: MessageType }) =>
  type === MessageType.Default || type === MessageType.Reply || type === MessageType.ChatInputCommand;

type Content = Pick<APIMessage, "content" | "sticker_items"> & { attachments?: APIAttachment[] };
type Spoken = Content & Pick<APIMessage, "message_snapshots" | "poll">;
type Written = Spoken & Pick<APIMessage, "id" | "author" | "timestamp" | "edited_timestamp">;

/** `cdn` knows where Discord has the pictures of stickers; `me` is the bot's user id, needed for messages by programs. */
type Discord = { cdn: Pick<CDN, "sticker">; me: string | null };

/** A message as a ticket keeps it. */
export function threadMessage(threadId: string, { cdn, me }: Discord, message: Written): ThreadMessage {
  const { id, author, timestamp, edited_timestamp: edited } = message;
  const files = [
    ...filesOf(message, cdn, { messageId: id, isForwarded: false }),
    ...snapshotsIn(message).flatMap((one) => filesOf(one, cdn, { messageId: id, isForwarded: true })),
  ];
  const program = author.id === me ? "bot" : "app";
  const writer = author.bot ? program : "person";
  const content = messageText(message);
  return {
    id,
    threadId,
    authorId: author.id,
    authorName: author.global_name ?? author.username,
    writer,
    content: content === "" && files.length === 0 && writer === "person" ? wordless : content,
    at: new Date(timestamp),
    editedAt: edited ? new Date(edited) : null,
    files,
  };
}

const wordless = "A message that can be seen only in Discord";

/** What a message says, with what it has instead of text. */
export function messageText(message: Spoken): string {
  const { content, poll } = message;
  return [
    content,
    ...snapshotsIn(message).map(forwardedText),
    ...stickerLines(message),
    ...(poll ? [`Poll: ${poll.question.text ?? ""}`, ...poll.answers.map(answerLine)] : []),
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** Only bots write embeds. */
function forwardedText({ content, embeds, ...rest }: APIMessageSnapshotFields): string {
  const lines = [
    content,
    ...(embeds ?? []).flatMap(({ title = "", description = "" }) => [title, description]),
    ...stickerLines(rest),
  ].filter((line) => line !== "");
  return ["Forwarded message", lines.join("\n")].filter((part) => part !== "").join(":\n");
}

const snapshotsIn = ({ message_snapshots }: Spoken) => message_snapshots?.map(({ message }) => message) ?? [];

const stickerLines = ({ sticker_items }: Pick<Content, "sticker_items">) =>
  sticker_items?.map(({ name }) => `Sticker: ${name}`) ?? [];

const answerLine = ({ poll_media }: { poll_media: { text?: string } }) => `- ${poll_media.text ?? ""}`;

type Within = { messageId: string; isForwarded: boolean };

/** Stickers, and files that are forwarded, keep their ids in every message: here each has one of its own. */
function filesOf(
  { attachments, sticker_items }: Content,
  cdn: Pick<CDN, "sticker">,
  { messageId, isForwarded }: Within,
) {
  const own = (id: string) => `${messageId}-${id}`;
  return [
    ...(attachments ?? []).map(({ id, filename, size, url }) => ({
      id: isForwarded ? own(id) : id,
      name: filename,
      size,
      url,
    })),
    ...(sticker_items ?? []).flatMap((one) => {
      const ending = extensions[one.format_type];
      if (!ending) return [];
      // Discord doesn't say how large it is
      return [{ id: own(one.id), name: `${one.name}.${ending}`, size: 0, url: cdn.sticker(one.id, ending) }];
    }),
  ];
}

/** Of stickers' pictures. The other format, Lottie, is drawn by a program. */
const extensions: Partial<Record<StickerFormatType, "png" | "gif">> = {
  [StickerFormatType.PNG]: "png",
  [StickerFormatType.APNG]: "png",
  [StickerFormatType.GIF]: "gif",
};
