/** Control characters and line breaks of any kind. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Invisible marks that change the direction of the text around them (https://www.unicode.org/reports/tr9/#Directional_Formatting_Codes). */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Typed text as one line, in which no character reorders the text around it. */
export const oneLine = (text: string): string => text.replace(directions, "").replace(breaks, " ").trim();
