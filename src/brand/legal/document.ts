/** A text that binds: read in a dialog over the landing page, and by itself without scripts. */
export type LegalDocument = {
  title: string;
  /** When it last changed, ready to read. */
  updated: string;
  /** What it comes down to, in one or two sentences. */
  summary: string;
  sections: readonly { heading: string; paragraphs: readonly string[]; points?: readonly string[] }[];
};
