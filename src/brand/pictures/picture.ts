/** A picture in its formats and widths. Files are imported so that the bundler hashes their names. */
export type Picture = {
  /** Alternative text. */
  alt: string;
  /** Short caption. */
  caption: string;
  /** For wide screens, two widths. */
  wide: { width: number; height: number; avif: Widths; webp: Widths; jpeg: string };
  /** For phones: the same screen in a narrow window, to keep its text readable. */
  phone: { width: number; height: number; avif: string; webp: string };
};

/** Width in pixels → file. */
type Widths = Readonly<Record<number, string>>;
