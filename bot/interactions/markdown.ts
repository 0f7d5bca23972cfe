import { TimestampStyles, time } from "discord.js";
import type { Customer } from "@/domain/customers/customer";

/** A date in the reader's own time zone and language. */
export const date = (at: Date): string => time(at, TimestampStyles.LongDate);

/** A list of licences, a line each. */
export const licenceLines = (licences: Customer["licences"]): string =>
  licences.length === 0
    ? "None"
    : licences
        .slice(0, 10)
        .map(({ masked, status, expiresAt }) => {
          const until = expiresAt === null ? "lifetime" : `until ${date(expiresAt)}`;
          return `\`${masked}\` ${status}${status === "active" ? `, ${until}` : ""}`;
        })
        .join("\n");

/** What somebody typed, so that nothing of it is read as markup. */
export const plain = (text: string): string => text.replace(/([*_~`|>\\[\]#<])/g, "\\$1");

/** The same for what a member calls themselves or a thing of theirs: addresses are no links in it either, and nobody is called. */
export const inert = (text: string): string =>
  plain(text)
    .replaceAll("://", ":\\//")
    .replace(/@(?=everyone|here)/g, "@\u200b")
    .replace(/^(?=\s*([-+]|\d+\.)\s)/, "\u200b");
