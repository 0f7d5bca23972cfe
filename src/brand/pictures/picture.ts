/** A picture in the formats and widths that exist of it; every file is named by its import, so that it gets a hash. */
export type Picture = {
  /** What it shows, for those who don't see it. */
  alt: string;
  /** Its short name, shown with it. */
  caption: string;
  /** For wide screens, in two widths. */
  wide: { width: number; height: number; avif: Widths; webp: Widths; jpeg: string };
  /** For phones: the same screen in a narrow window, so that its text stays readable. */
  phone: { width: number; height: number; avif: string; webp: string };
};

/** From the width in pixels to the file. */
type Widths = Readonly<Record<number, string>>;
