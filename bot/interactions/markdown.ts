import { TimestampStyles, time } from "discord.js";
import { oneLine } from "@/contract/one-line";

/** A date in the reader's own time zone and language. */
export const date = (at: Date): string => time(at, TimestampStyles.LongDate);

/** What somebody typed, as one line with its markup escaped. */
export const plain = (text: string): string => oneLine(text).replace(/([*_~`|>\\[\]#<])/g, "\\$1");

/** The same for names that members choose: also without links, mentions of everybody, and list markers. */
export const inert = (text: string): string =>
  plain(text)
    .replaceAll("://", ":\\//")
    .replace(/@(?=everyone|here)/g, "@\u200b")
    .replace(/^(?=\s*([-+]|\d+\.)\s)/, "\u200b");

/** What somebody typed, shown verbatim: in a code block nothing is read as markup, link or mention. */
export const quoted = (text: string): string => `\`\`\`\n${text.replaceAll("`", "ˋ")}\n\`\`\``;
