import type { ReactNode } from "react";
import type { Letter } from "@/domain/mail/letter";

export type Kind = Letter["kind"];

// A mapped type rather than Extract, so that a kind and its letter stay matched in generic code.
type Letters = { [L in Letter as L["kind"]]: L };
export type LetterOf<K extends Kind> = Letters[K];

/** The template of one kind of letter. */
export type Writing<K extends Kind> = {
  /** The shop's owner reads it, whom support can't help. */
  toOwner?: true;
  subject(letter: LetterOf<K>): string;
  /** The preview line that mail programs show next to the subject. */
  preview(letter: LetterOf<K>): string;
  /** The body inside the frame, as HTML. */
  body(letter: LetterOf<K>): ReactNode;
  /** The same as plain text, one string per paragraph. */
  text(letter: LetterOf<K>): string[];
};
