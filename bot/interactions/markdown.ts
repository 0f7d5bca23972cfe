import { TimestampStyles, time } from "discord.js";
import { oneLine } from "@/contract/vocabulary/plain-words";

/** A date in the reader's own time zone and language. */
export const date = (at: Date): string => time(at, TimestampStyles.LongDate);

/** Text of at most `most` characters. */
export const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;

/** Names of levels for a title, which takes 256 characters: escaping doubles some. */
export const levelNames = (names: string): string => plain(cut(names, 120));

/** Typed text as one line with its markup escaped. */
export const plain = (text: string): string => oneLine(text).replace(/([*_~`|>\\[\]#<])/g, "\\$1");

/** {@link plain} for names that members choose: also without links, mentions of everybody, and list markers. */
export const inert = (text: string): string =>
  plain(text)
    .replaceAll("://", ":\\//")
    .replace(/@(?=everyone|here)/g, "@\u200b")
    .replace(/^(?=\s*([-+]|\d+\.)\s)/, "\u200b");

/** Typed text, shown verbatim: Discord reads no markup, link or mention in a code block. */
export const quoted = (text: string): string => `\`\`\`\n${text.replaceAll("`", "ˋ")}\n\`\`\``;
