/** Untrusted text, cut to one line of at most 120 characters. */
export function oneLine(text: string): string {
  const line = text.replace(/[\s\p{C}]+/gu, " ").trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
