import type { ReactNode } from "react";
import type { Letter } from "@/domain/mail/letter";

export type Kind = Letter["kind"];

// A mapped type rather than Extract, so that a kind and its letter stay tied in generic code.
type Letters = { [L in Letter as L["kind"]]: L };
export type LetterOf<K extends Kind> = Letters[K];

/** How one kind of letter is put into words. */
export type Writing<K extends Kind> = {
  subject(letter: LetterOf<K>): string;
  /** The line that a mail program shows beside the subject. */
  preview(letter: LetterOf<K>): string;
  /** What stands in the frame, as HTML. */
  body(letter: LetterOf<K>): ReactNode;
  /** The same in plain text, a paragraph a string. */
  text(letter: LetterOf<K>): string[];
};
