import { maskName } from "@/contract/vocabulary/mask";
import { arePlainWords } from "@/contract/vocabulary/plain-words";

/** Untrusted text, cut to one line of at most 120 characters. */
export function oneLine(text: string): string {
  const line = text.replace(/[\s\p{C}]+/gu, " ").trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}

/** What one person wrote, in another's mailbox: one line, masked if mail programs could make a link of it. */
export function plainWords(text: string): string {
  const line = oneLine(text);
  return arePlainWords(text) && arePlainWords(line) ? line : maskName(line);
}

type Given = { level: string; hasRole: boolean };

/** `downloads and the Wisp Premium role`: what a licence of a level gives, without a role where it gives none. */
export const withRole = (given: readonly string[], { level, hasRole }: Given): string =>
  new Intl.ListFormat("en-GB").format([...given, ...(hasRole ? [`the ${level} role`] : [])]);
