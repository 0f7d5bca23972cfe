import { createHash } from "node:crypto";

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Letters and digits derived from a text. */
export function word(source: string, length: number): string {
  let text = "";
  for (let block = 0; text.length < length; block += 1) {
    const digest = createHash("sha256").update(`${source}:${block}`).digest();
    for (const byte of digest) text += letters[byte % letters.length];
  }
  return text.slice(0, length);
}
