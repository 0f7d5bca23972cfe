import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The characters of a text that the font has no drawing of. */
export const missingIn = (text: string): string[] => [
  ...new Set([...text.normalize("NFC")].filter((one) => !theFont().glyphOf(one))),
];

/**
 * Text as one SVG path that stands on a line at (0, 0): it looks the same wherever it is drawn, without a font there.
 * @param spacing what every character gets in addition, as a share of the size
 */
export function outlined(text: string, size: number, spacing = 0): string {
  const { unitsPerEm, contoursOf } = theFont();
  return placed(text, size, spacing)
    .map(({ glyph, left }) => pathOf(contoursOf(glyph), size / unitsPerEm, left))
    .join("");
}

/** How wide {@link outlined} draws a text. */
export const widthOf = (text: string, size: number, spacing = 0): number =>
  placed(text, size, spacing).at(-1)?.right ?? 0;

function placed(text: string, size: number, spacing: number) {
  const { unitsPerEm, glyphOf, advanceOf } = theFont();
  let right = 0;
  return [...text.normalize("NFC")].map((one) => {
    const glyph = glyphOf(one);
    const left = right;
    right += (advanceOf(glyph) / unitsPerEm + spacing) * size;
    return { glyph, left, right };
  });
}

/** Units of the font; a point off the line bends it (quadratic curves). */
type Point = { x: number; y: number; on: boolean };

let font: ReturnType<typeof readFont> | undefined;
/** Inter: Latin, Greek and Cyrillic. */
const theFont = () => (font ??= readFont(readFileSync(join(import.meta.dir, "font/inter-semibold.ttf"))));

/** What drawing needs of a TrueType file: https://learn.microsoft.com/typography/opentype/spec/ */
function readFont(bytes: Buffer) {
  const tables = new Map(
    Array.from({ length: bytes.readUInt16BE(4) }, (_, index) => {
      const at = 12 + index * 16;
      return [bytes.toString("latin1", at, at + 4), bytes.readUInt32BE(at + 8)];
    }),
  );
  const table = (name: string) => tables.get(name) ?? 0;
  const advances = bytes.readUInt16BE(table("hhea") + 34);
  const groups = charactersIn(bytes, table("cmap"));

  const glyphOf = (character: string) => {
    const code = character.codePointAt(0) ?? 0;
    const group = groups.find(({ first, last }) => code >= first && code <= last);
    return group ? group.glyph + code - group.first : 0;
  };
  const placeOf = (glyph: number) => bytes.readUInt32BE(table("loca") + glyph * 4);

  function contoursOf(glyph: number): Point[][] {
    if (placeOf(glyph) === placeOf(glyph + 1)) return [];
    const at = table("glyf") + placeOf(glyph);
    const count = bytes.readInt16BE(at);
    return count < 0 ? composed(bytes, at + 10, contoursOf) : simple(bytes, at + 10, count);
  }
  return {
    unitsPerEm: bytes.readUInt16BE(table("head") + 18),
    glyphOf,
    contoursOf,
    advanceOf: (glyph: number) => bytes.readUInt16BE(table("hmtx") + Math.min(glyph, advances - 1) * 4),
  };
}

/** The font's own list of what it draws (format 12 of `cmap`). */
function charactersIn(bytes: Buffer, cmap: number) {
  const count = bytes.readUInt16BE(cmap + 2);
  const places = Array.from({ length: count }, (_, index) => cmap + bytes.readUInt32BE(cmap + 8 + index * 8));
  const list = places.find((place) => bytes.readUInt16BE(place) === 12) ?? cmap;
  return Array.from({ length: bytes.readUInt32BE(list + 12) }, (_, index) => {
    const at = list + 16 + index * 12;
    return {
      first: bytes.readUInt32BE(at),
      last: bytes.readUInt32BE(at + 4),
      glyph: bytes.readUInt32BE(at + 8),
    };
  });
}

function simple(bytes: Buffer, start: number, count: number): Point[][] {
  const ends = Array.from({ length: count }, (_, index) => bytes.readUInt16BE(start + index * 2));
  const total = (ends.at(-1) ?? -1) + 1;
  let at = start + count * 2;
  at += 2 + bytes.readUInt16BE(at);
  const flags: number[] = [];
  while (flags.length < total) {
    const flag = bytes.readUInt8(at++);
    const times = flag & 8 ? bytes.readUInt8(at++) + 1 : 1;
    flags.push(...Array.from({ length: times }, () => flag));
  }
  const along = (short: number, same: number) => {
    let value = 0;
    return flags.map((flag) => {
      if (flag & short) value += flag & same ? bytes.readUInt8(at++) : -bytes.readUInt8(at++);
      else if (!(flag & same)) {
        value += bytes.readInt16BE(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = along(2, 16);
  const ys = along(4, 32);
  const points = flags.map((flag, index) => ({ x: xs[index] ?? 0, y: ys[index] ?? 0, on: (flag & 1) === 1 }));
  return ends.map((end, index) => points.slice((ends[index - 1] ?? -1) + 1, end + 1));
}

/** A glyph made of others, such as a letter and its accent. */
function composed(bytes: Buffer, start: number, contoursOf: (glyph: number) => Point[][]): Point[][] {
  const contours: Point[][] = [];
  for (let at = start, flags = 32; flags & 32;) {
    flags = bytes.readUInt16BE(at);
    const glyph = bytes.readUInt16BE(at + 2);
    const isWide = flags & 1;
    const [x, y] = isWide
      ? [bytes.readInt16BE(at + 4), bytes.readInt16BE(at + 6)]
      : [bytes.readInt8(at + 4), bytes.readInt8(at + 5)];
    at += isWide ? 8 : 6;
    const scales = flags & 8 ? 1 : flags & 64 ? 2 : flags & 128 ? 4 : 0;
    const read = Array.from({ length: scales }, (_, index) => bytes.readInt16BE(at + index * 2) / 16384);
    at += scales * 2;
    const [a = 1, b = 0, c = 0, d = a] = scales === 2 ? [read[0], 0, 0, read[1]] : read;
    for (const contour of contoursOf(glyph))
      contours.push(contour.map((p) => ({ x: a * p.x + c * p.y + x, y: b * p.x + d * p.y + y, on: p.on })));
  }
  return contours;
}

function pathOf(contours: Point[][], scale: number, left: number): string {
  const write = ({ x, y }: Point) => `${round(left + x * scale)} ${round(-y * scale)}`;
  return contours
    .map((contour) => {
      // between two points off the line lies one on it
      const whole = contour.flatMap((point, index) => {
        const next = contour[(index + 1) % contour.length] ?? point;
        if (point.on || next.on) return [point];
        return [point, { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2, on: true }];
      });
      const first = whole.findIndex(({ on }) => on);
      const points = [...whole.slice(first), ...whole.slice(0, first + 1)];
      const lines = points.map((point, index) => {
        if (index === 0) return `M${write(point)}`;
        if (!point.on) return `Q${write(point)} `;
        return points[index - 1]?.on ? `L${write(point)}` : write(point);
      });
      return `${lines.join("")}Z`;
    })
    .join("");
}

const round = (value: number) => Math.round(value * 100) / 100;
