import { luminanceOf } from "./color-space";
import type { Colors } from "./colors";
import type { Logo } from "./logo";

/** What all pictures of a brand are drawn from. */
export type Look = { logo: Logo; name: string; tagline?: string; colors: Colors };

/** The tile's corner and the logo's margin, as shares of the whole. */
export type Shape = { corner: number; margin: number };
export const rounded: Shape = { corner: 0.23, margin: 0.09 };

const size = 64;

/** The logo on a square of the brand's color; one with colors of its own on a ground that it can be seen on. */
export function tile({ logo, colors }: Look, { corner, margin }: Shape): string {
  const ground = logo.isOneColor ? colors.color : groundOf(logo, colors);
  const inner = fitted(
    logo,
    { left: size * margin, top: size * margin, size: size * (1 - 2 * margin) },
    colors.label,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><rect width="${size}" height="${size}" rx="${size * corner}" fill="${ground}"/>${inner}</svg>`;
}

/** The logo in the middle of a box. `color` is for one that has none of its own. */
export function fitted(
  { viewBox, body }: Logo,
  box: { left: number; top: number; size: number },
  color: string,
): string {
  const [left = 0, top = 0, width = 1, height = 1] = viewBox.split(" ").map(Number);
  const scale = box.size / Math.max(width, height);
  const right = box.left + (box.size - width * scale) / 2 - left * scale;
  const down = box.top + (box.size - height * scale) / 2 - top * scale;
  const [x, y, by] = [right, down, scale].map((value) => Math.round(value * 10_000) / 10_000);
  return `<g fill="${color}" color="${color}" transform="translate(${x} ${y}) scale(${by})">${body}</g>`;
}

function groundOf({ body }: Logo, { turned }: Colors): string {
  const inks = [...body.matchAll(/#[\da-f]{6}\b/gi)].map(([hex]) => luminanceOf(hex));
  const mean = inks.reduce((sum, one) => sum + one, 0) / (inks.length || 1);
  return mean > 0.4 ? turned("#0b0a12") : "#ffffff";
}
