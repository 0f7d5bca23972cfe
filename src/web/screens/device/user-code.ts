/** The twenty consonants of RFC 8628 §6.1: no words, and nothing that looks like something else. */
const letters = "BCDFGHJKLMNPQRSTVWXZ";

/** A code as the application shows it, `XXXX-XXXX`, however it was typed; null if it can't be one. */
export function codeIn(typed: string): string | null {
  const text = typed.toUpperCase().replaceAll(/[\s\p{Pd}]/gu, "");
  return text.length === 8 && [...text].every((letter) => letters.includes(letter))
    ? `${text.slice(0, 4)}-${text.slice(4)}`
    : null;
}
