/*
 * What mail programs turn into links, and a little more, since each program differs: any name with a dot and letters
 * after it, because new top-level domains appear every month.
 */
const linked = [
  // any scheme, and a folder on a Windows network
  /:\/\/|\\\\[\p{L}\p{N}]/u,
  // programs link some schemes without the two slashes
  /(?<![\p{L}\p{N}])(?:https?|ftp|mailto|tel|sms|facetime|callto|skype|sips?|xmpp|news|magnet|bitcoin|ethereum):\S/iu,
  /(?<![\p{L}\p{N}])(?:javascript|data|file|about|urn|geo|cid|webcal|whatsapp|tg|discord|steam):\S/iu,
  /(?<![\p{L}\p{N}])www\./iu,
  // an email address, also at a host without a dot
  /[\p{L}\p{N}_.+-]@[\p{L}\p{N}[]/u,
  // a domain: what follows the dot may be a top-level domain, in letters or punycode
  /[\p{L}\p{N}\p{M}\p{So}\p{Sk}_-]\.(?:xn--|\p{L}[\p{L}\p{M}])/iu,
  // sentences in Chinese and Japanese have the wide full stop and no space after it
  /[\p{L}\p{N}_-][。｡][a-z]{2}/iu,
  // an IPv4 address
  /(?<![\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?![\p{N}.]?\p{N})/u,
];

/** Characters that reorder the text around them, or end a line unexpectedly. */
const deceiving = /[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/**
 * Whether one of the shop's emails can quote a customer's words: no mail program makes a link of them, and no
 * character in them moves the text around them.
 */
export function arePlainWords(text: string): boolean {
  if (deceiving.test(text)) return false;
  const read = text.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return [text, read].every((one) => !linked.some((pattern) => pattern.test(one)));
}

/** Control characters and line breaks of any kind. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Invisible marks that change the direction of the text around them (https://www.unicode.org/reports/tr9/#Directional_Formatting_Codes). */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Typed text as one line, in which no character reorders the text around it. */
export const oneLine = (text: string): string => text.replace(directions, "").replace(breaks, " ").trim();

/**
 * `docker run --env-file` keeps the quotes around a value that systemd, shells and Compose remove. No service issues
 * values that begin and end with the same quote.
 */
export const withoutQuotes = (value: string) => /^(['"])(.*)\1$/s.exec(value)?.[2] ?? value;

/** Where DATA_DIR is not set; its brand is read before the settings. */
export const defaultDataDir = "./data";
