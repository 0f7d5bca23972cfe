/** Invisible characters: ignorable and control characters, and the Braille blank. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]|(?!\s)\p{Cc}/gu;
/** Unicode's dashes, other signs that look like one, and the long vowel that a Japanese keyboard writes for one. */
const dash = /[\p{Dash}\u02d7\u2043\u2796\u30fc]/gu;
const digit = /\p{Nd}/gu;

/**
 * What a person typed or pasted for a key, a code, an id or a number, in the characters that it is made of: NFKC, digits of
 * any script as ours, any dash as a hyphen, without what is invisible.
 */
export const plainTyped = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(unseen, "")
    .normalize("NFKC")
    .replace(digit, ownDigit)
    .replace(dash, "-")
    .trim();

/** A typed code, without blanks and dashes, in capitals. */
export const typedCode = (text: string): string => plainTyped(text).replace(/[\s-]/g, "").toUpperCase();

/** The most characters that are read for a key. */
export const maxTypedKeyLength = 256;

/** A typed key without what surrounds it: punctuation, quotes, and one label such as `License key:`. */
export function bareKey(text: string): string {
  const inner = withoutEdges(plainTyped(text));
  return withoutEdges(inner.slice(inner.indexOf(":") + 1));
}

const withoutEdges = (text: string) => /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(text)?.[0] ?? "";

/** A script's digits are consecutive, beginning with its zero (https://www.unicode.org/policies/stability_policy.html). */
function ownDigit(typed: string): string {
  const point = typed.codePointAt(0) ?? 0;
  let nought = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(nought - 1))) nought -= 1;
  return String((point - nought) % 10);
}

/** The letters of a user code: no vowels, so that none spells a word, and none that looks like another (RFC 8628 §6.1). */
export const userCodeLetters = "BCDFGHJKLMNPQRSTVWXZ";
const userCode = /^([B-DF-HJ-NP-TV-XZ]{4})([B-DF-HJ-NP-TV-XZ]{4})$/;

/** A typed user code as people read it, XXXX-XXXX; null if it can't be one. */
export function readUserCode(typed: string): string | null {
  const halves = userCode.exec(typedCode(typed));
  return halves && `${halves[1]}-${halves[2]}`;
}
