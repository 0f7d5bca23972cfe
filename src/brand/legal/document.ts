/** A piece of a line: plain text, emphasis, or a link to an https or mailto address. */
export type Inline = string | { em: string } | { strong: string } | { link: string; text: string };

export type LegalBlock =
  | { text: readonly Inline[] }
  | { subheading: string }
  | { points: readonly (readonly Inline[])[]; numbered: boolean };

/** A legal text: a dialog over the landing page or, without scripts, a page of its own. */
export type LegalDocument = {
  title: string;
  /** The date of the last change, as displayed. */
  updated: string;
  /** A summary in one or two sentences. */
  summary: string;
  /** `heading` is empty where the text begins without one. */
  sections: readonly { heading: string; blocks: readonly LegalBlock[] }[];
};
