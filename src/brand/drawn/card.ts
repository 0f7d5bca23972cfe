import { luminanceOf } from "./color-space";
import { designColor } from "./colors";
import { missingIn, outlined, widthOf } from "./outlines";
import { fitted, type Look, rounded, tile } from "./tile";

export const cardSize = { width: 1200, height: 630 };

/** The picture that chats show with a link: logo, name and tagline. It names no price, which changes without it. */
export function card({ logo, name, tagline, colors }: Look): { svg: string; leftOut: string[] } {
  const leftOut: string[] = [];
  const drawable = (text: string | undefined, what: string) => {
    if (!text) return "";
    const missing = missingIn(text);
    if (missing.length === 0) return text;
    leftOut.push(`og.png has no ${what}: the font has no ${missing.slice(0, 5).join(" ")}`);
    return "";
  };
  const product = drawable(name, "name");
  const headline = drawable(tagline, "tagline") || product;
  const look = { logo, name, colors };
  const icon = (left: number, top: number, size: number, color: string) =>
    logo.isOneColor
      ? fitted(logo, { left, top, size }, color)
      : tile(look, rounded).replace("<svg ", `<svg x="${left}" y="${top}" width="${size}" height="${size}" `);
  const white = colors.turned("#f4f3fa");
  const words = (text: string, place: string, size: number, spacing: number) =>
    `<path fill="${white}" transform="translate(${place})" d="${outlined(text, size, spacing)}"/>`;
  const { lines, size } = broken(headline);
  // never darker than the design's, or the ground swallows it
  const lit =
    luminanceOf(colors.color) < luminanceOf(designColor) ? colors.turned(designColor) : colors.color;
  const { width, height } = cardSize;
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">`,
    `<defs><radialGradient id="ground" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="1" gradientTransform="translate(1008 290) scale(760 620)">`,
    `<stop offset="0" stop-color="${colors.turned("#4a4199")}"/><stop offset=".52" stop-color="${colors.turned("#1b1832")}"/><stop offset="1" stop-color="${colors.turned("#0b0a12")}"/></radialGradient>`,
    `<radialGradient id="glow"><stop offset=".2" stop-color="${lit}" stop-opacity=".3"/><stop offset="1" stop-color="${lit}" stop-opacity="0"/></radialGradient></defs>`,
    `<rect width="${width}" height="${height}" fill="url(#ground)"/>`,
    `<circle cx="930" cy="315" r="330" fill="url(#glow)"/>`,
    icon(730, 115, 400, lit),
    icon(88, 84, 46, colors.turned("#a39bef")),
    words(product, "152 119", 34, -0.02),
    ...lines.map((line, index) => words(line, `86 ${270 + index * size * 1.06}`, size, tight)),
    "</svg>",
  ].join("");
  return { svg, leftOut };
}

const room = 640;

/** A headline in lines, as large as there is room; the last line ends in … if even the smallest is too long. */
function broken(text: string): { lines: string[]; size: number } {
  for (const [size, most] of [
    [80, 4],
    [64, 5],
    [48, 6],
  ] as const) {
    const lines = wrapped(text, size);
    if (lines.length <= most && lines.every((line) => fits(line, size))) return { lines, size };
  }
  const [size, most] = [48, 6];
  const lines = wrapped(text, size);
  const shown = lines.slice(0, most).map((line) => cut(line, size));
  if (lines.length > most) shown[most - 1] = cut(`${shown[most - 1]}…`, size);
  return { lines: shown, size };
}

const tight = -0.035;
const fits = (line: string, size: number) => widthOf(line, size, tight) <= room;

function wrapped(text: string, size: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && fits(longer, size)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function cut(line: string, size: number): string {
  let whole = line.replace(/…$/, "");
  if (whole === line && fits(line, size)) return line;
  while (whole && !fits(`${whole}…`, size)) whole = whole.slice(0, -1);
  return `${whole.trimEnd()}…`;
}
