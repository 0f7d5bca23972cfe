/** Control characters but the tab and the line feed, and marks that reorder the text around them. */
// oxlint-disable-next-line no-control-regex -- the control characters are what it finds
const unwanted = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Typed text of several lines, without what a keyboard doesn't type. */
export const cleaned = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(unwanted, "")
    .toWellFormed()
    .trim();

/** Invisible characters, such as a zero-width space or the Braille blank. */
const unseen = /[\s\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** What people see of a text. */
export const shownText = (text: string): string => text.replace(unseen, "");
