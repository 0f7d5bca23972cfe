const longDate = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** `14 March 2025 at 10:22 UTC`. */
export const moment = (at: Date): string => `${longDate.format(at)} UTC`;

/** Untrusted text, cut to one line of at most 120 characters. */
export function oneLine(text: string): string {
  const line = text.replace(/[\s\p{C}]+/gu, " ").trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
