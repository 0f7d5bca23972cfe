import type { Logo } from "./logo";
import { missingIn, outlined, widthOf } from "./outlines";

/** The logo of a brand that has none: the first letters of its name, or a ring if the font can't draw those. */
export function initials(name: string): Logo {
  const words = name.split(/[\s-]+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const letters = words
    .slice(0, 2)
    .map((word) => [...word][0] ?? "")
    .join("")
    .toLocaleUpperCase("en");
  const ring = "M32 6a26 26 0 1 0 0 52a26 26 0 1 0 0-52zM32 18a14 14 0 1 1 0 28a14 14 0 1 1 0-28z";
  const drawn = letters && missingIn(letters).length === 0 ? centered(letters) : `d="${ring}"`;
  return { viewBox: "0 0 64 64", body: `<path ${drawn}/>`, isOneColor: true };
}

/** As large as a box of 64 takes; the size follows from the width at any other. */
function centered(letters: string): string {
  const capHeight = 0.727;
  const size = Math.min(56 / capHeight, (60 / widthOf(letters, 64)) * 64);
  const [left, base] = [(64 - widthOf(letters, size)) / 2, 32 + (size * capHeight) / 2];
  return `d="${outlined(letters, size)}" transform="translate(${left.toPrecision(4)} ${base.toPrecision(4)})"`;
}
