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

/**
 * New words: the same seed gives the same words in the same order. `run` counts the starts, so that no word repeats.
 */
export function seededWords(seed: string, run: number): (length: number) => string {
  let count = 0;
  return (length) => {
    count += 1;
    return word(`${seed}:${run}:${count}`, length);
  };
}
