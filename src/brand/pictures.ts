import type { MadePicture } from "./drawn/pictures";

/** A picture in its formats and widths, by the addresses of its files. */
export type Picture = MadePicture & {
  /** Alternative text. */
  alt: string;
  /** Short caption. */
  caption: string;
};

type Entry = { picture: string; caption: string; alt: string };

/**
 * A picture of a brand, whose files' addresses `urlOf` knows: those in `made`, or seven that lie in the brand's folder,
 * with a narrow window for phones, to keep its text readable.
 */
export function pictureOf(
  { picture, caption, alt }: Entry,
  urlOf: (file: string) => string,
  made: MadePicture = sevenFiles(picture),
): Picture {
  const { wide, phone } = made;
  const each = (files: Readonly<Record<number, string>>) =>
    Object.fromEntries(Object.entries(files).map(([width, file]) => [width, urlOf(file)]));
  return {
    caption,
    alt,
    wide: {
      ...wide,
      ...(wide.avif && { avif: each(wide.avif) }),
      webp: each(wide.webp),
      jpeg: urlOf(wide.jpeg),
    },
    phone: { ...phone, ...(phone.avif && { avif: urlOf(phone.avif) }), webp: urlOf(phone.webp) },
  };
}

function sevenFiles(picture: string): MadePicture {
  const wide = (type: string) => ({ 960: `${picture}-960.${type}`, 1600: `${picture}-1600.${type}` });
  return {
    wide: { width: 1600, height: 950, avif: wide("avif"), webp: wide("webp"), jpeg: `${picture}-960.jpg` },
    phone: {
      width: 720,
      height: 823,
      avif: `${picture}-phone-720.avif`,
      webp: `${picture}-phone-720.webp`,
    },
  };
}
