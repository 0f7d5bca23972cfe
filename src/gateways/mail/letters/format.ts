const longDate = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** `14 March 2025 at 10:22 UTC`. A letter from the outbox has its date as ISO text. */
export function moment(at: Date | string): string {
  return `${longDate.format(new Date(at))} UTC`;
}

/** Untrusted text, cut to one line of at most 120 characters. */
export function oneLine(text: string): string {
  const line = text.replace(/[\s\p{C}]+/gu, " ").trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}

/** `Name: value` lines, as plain text. */
export function factLines(facts: Fact[]): string {
  return facts.map(([name, value]) => `${name}: ${value}`).join("\n");
}

export type Fact = [name: string, value: string];
