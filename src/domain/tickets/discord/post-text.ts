import type { ticketMessages } from "../../schema/tickets";

type Message = Pick<typeof ticketMessages.$inferSelect, "author" | "authorName" | "content">;

/** Of a message: https://discord.com/developers/docs/resources/message#create-message */
const mostCharacters = 2_000;

/**
 * The bot's posts for a message from outside Discord: who wrote it, and the text in a code block, in which Discord reads
 * no markup, link or mention, so that it can't pass for anything else.
 */
export function postTexts({ author, authorName, content }: Message, fileName: string | null): string[] {
  const who = `${authorName.replaceAll("_", "\\_")}${author === "member" ? " (website)" : ""}:`;
  if (fileName !== null) return [`${who} \`${untick(fileName)}\``];
  const room = mostCharacters - inBlock(who, "").length;
  return pieces(untick(content), room).map((text) => inBlock(who, text));
}

const inBlock = (who: string, text: string) => `${who}\n\`\`\`\n${text}\n\`\`\``;
const untick = (text: string) => text.replaceAll("`", "ˋ");

/** Cuts between two characters, never inside one. */
function pieces(text: string, most: number): string[] {
  const all: string[] = [];
  for (let at = 0; at < text.length; at += all.at(-1)?.length ?? most) {
    const piece = text.slice(at, at + most);
    all.push(/[\ud800-\udbff]$/.test(piece) && at + most < text.length ? piece.slice(0, -1) : piece);
  }
  return all;
}
