const longDate = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** `14 March 2025 at 10:22 UTC`. A letter that waited in the outbox may carry its date as ISO text. */
export function moment(at: Date | string): string {
  return `${longDate.format(new Date(at))} UTC`;
}

/** Words that came from outside, on one line and of a bearable length. */
export function oneLine(text: string): string {
  const line = text.replace(/[\s\p{C}]+/gu, " ").trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}

/** `Name: value` lines, as plain text. */
export function factLines(facts: Fact[]): string {
  return facts.map(([name, value]) => `${name}: ${value}`).join("\n");
}

export type Fact = [name: string, value: string];
