/** A picture in its formats and widths, by the addresses of its files. */
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

/** A picture of a brand with its seven files, whose addresses `urlOf` knows. */
export function pictureOf(
  { picture, caption, alt }: { picture: string; caption: string; alt: string },
  urlOf: (file: string) => string,
): Picture {
  const wide = (type: string) => ({
    960: urlOf(`${picture}-960.${type}`),
    1600: urlOf(`${picture}-1600.${type}`),
  });
  const phone = (type: string) => urlOf(`${picture}-phone-720.${type}`);
  return {
    caption,
    alt,
    wide: {
      width: 1600,
      height: 950,
      avif: wide("avif"),
      webp: wide("webp"),
      jpeg: urlOf(`${picture}-960.jpg`),
    },
    phone: { width: 720, height: 823, avif: phone("avif"), webp: phone("webp") },
  };
}
