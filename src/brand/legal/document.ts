/** A legal text: a dialog over the landing page or, without scripts, a page of its own. */
export type LegalDocument = {
  title: string;
  /** The date of the last change, as displayed. */
  updated: string;
  /** A summary in one or two sentences. */
  summary: string;
  sections: readonly { heading: string; paragraphs: readonly string[]; points?: readonly string[] }[];
};
