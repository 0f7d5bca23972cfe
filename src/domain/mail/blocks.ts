/** A name and its value, as in `Amount: USD 5.00`. */
export type Fact = [name: string, value: string];

/** The parts of emails. `src/gateways/mail` renders each kind of block in HTML and in plain text. */
export type Block =
  /** What the email is about; one in each email, and the first block. */
  | { kind: "heading"; text: string }
  | { kind: "subheading"; text: string }
  /** `quiet`: small print. */
  | { kind: "paragraph"; text: string; quiet: boolean }
  /** Small print, line by line. */
  | { kind: "lines"; lines: string[] }
  /** Keys or codes, each in a box by itself, ready to be copied. */
  | { kind: "codes"; codes: string[]; large: boolean }
  /** The amount that the email is about, set apart like a code: `USD 5.00` under its name. */
  | { kind: "amount"; name: string; text: string }
  | { kind: "facts"; facts: Fact[] }
  /** What to do next; one in each email at most. */
  | { kind: "button"; label: string; url: string }
  /** A link in small print, after a sentence if it has one. */
  | { kind: "link"; sentence: string | null; label: string; url: string }
  /** A customer's words, set apart from the shop's own. */
  | { kind: "quotation"; text: string }
  | { kind: "markdown"; source: string };

export const heading = (text: string): Block => ({ kind: "heading", text });
export const subheading = (text: string): Block => ({ kind: "subheading", text });
export const paragraph = (text: string): Block => ({ kind: "paragraph", text, quiet: false });
export const quiet = (text: string): Block => ({ kind: "paragraph", text, quiet: true });
export const lines = (...all: string[]): Block => ({ kind: "lines", lines: all });
export const codes = (...all: string[]): Block => ({ kind: "codes", codes: all, large: false });
/** A code that is typed rather than copied. */
export const largeCode = (code: string): Block => ({ kind: "codes", codes: [code], large: true });
export const amount = (name: string, text: string): Block => ({ kind: "amount", name, text });
export const facts = (...all: Fact[]): Block => ({ kind: "facts", facts: all });
export const button = (label: string, url: string): Block => ({ kind: "button", label, url });
export const link = (label: string, url: string, sentence: string | null = null): Block => ({
  kind: "link",
  sentence,
  label,
  url,
});
export const quotation = (text: string): Block => ({ kind: "quotation", text });
export const markdown = (source: string): Block => ({ kind: "markdown", source });

/** `Name: value`, a line each. */
export const factLines = (all: Fact[]): string => all.map(([name, value]) => `${name}: ${value}`).join("\n");
