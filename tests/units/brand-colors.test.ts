import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { array, assert, integer, property } from "fast-check";
import { BrandError } from "@/brand/brand-error";
import { type Colors, colorsFrom, designColor, inColors } from "@/brand/drawn/colors";
import { colourOf, contrast } from "../support/checks/contrast";

const read = (path: string) => readFileSync(join(import.meta.dir, "../../src", path), "utf8");
const sheets = {
  app: read("web/styles/app.css"),
  public: read("web/styles/public.css"),
  api: read("api/docs/style.css"),
};

test("in the sample's color every style sheet is what it is without a brand", () => {
  for (const sheet of Object.values(sheets)) expect(inColors(sheet, colorsFrom(designColor))).toBe(sheet);
  expect(colorsFrom()).toMatchObject({ label: "#0a0a0a", seen: { dark: designColor, light: designColor } });
});

test("every color in what is turned has six or eight small digits; black and white may be short", () => {
  const palette = read("gateways/mail/palette.ts");
  const others =
    /#(?!(?:[0-9a-f]{6}|[0-9a-f]{8}|(fff|000)[0-9a-f]?)\b)[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(/g;
  for (const sheet of [...Object.values(sheets), palette]) expect(sheet.match(others)).toBeNull();
});

test("in another color no sheet has one of the sample's left, and what means something keeps its own", () => {
  const sample = new Set(huesOf(Object.values(sheets).join("")));
  expect(sample.size).toBeGreaterThan(40);
  const meaningful =
    /^ +--(?:destructive|success|warning|info|dispute|discord|chart-[2-5]|color-sample)[\w-]*:.*$/gm;
  for (const sheet of Object.values(sheets)) {
    const other = inColors(sheet, colorsFrom("#1f9d55"));
    expect(other.match(meaningful)).toEqual(sheet.match(meaningful));
    const left = huesOf(other.replaceAll(meaningful, "")).filter((hex) => sample.has(hex));
    expect(left).toEqual([]);
  }
});

test("whatever color a brand has, text on it and everything that follows from it can be read", () => {
  let refused = 0;
  let tried = 0;
  const look = (channels: number[]) => {
    const color = `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
    tried += 1;
    try {
      expect(tooLow(colorsFrom(color))).toEqual([]);
    } catch (error) {
      if (!(error instanceof BrandError)) throw error;
      refused += 1;
      // what it proposes is taken
      const proposed = / Take (#[0-9a-f]{6}), or a lighter one\.$/.exec(error.message)?.[1];
      expect(tooLow(colorsFrom(proposed ?? error.message))).toEqual([]);
    }
  };
  for (let corner = 0; corner < 8; corner += 1) look([4, 2, 1].map((bit) => (corner & bit ? 255 : 0)));
  for (let level = 0; level < 256; level += 5) look([level, level, level]);
  const cube = array(integer({ min: 0, max: 255 }), { minLength: 3, maxLength: 3 });
  assert(property(cube, look), { seed: 48, numRuns: 150 });
  expect(refused).toBeGreaterThan(0);
  expect(refused / tried).toBeLessThan(0.04);
});

test("a color on which no text can be read is refused with one that is nearly the same", () => {
  expect(() => colorsFrom("#777777")).toThrow(
    "In brand.json, color must leave a button's text readable, with a contrast of 4.5:1, but black has 4.42:1 on it and white 4.47:1. Take #757575, or a lighter one.",
  );
  for (const color of ["blue", "#12345", "#1234567", ""])
    expect(() => colorsFrom(color)).toThrow("must be written as # and six digits, such as #2f6fed.");
  expect(colorsFrom("#FFEE00")).toMatchObject({ color: "#ffee00", label: "#0a0a0a", embed: 0xffee00 });
  // Discord takes 0 for no color
  expect(colorsFrom("#000000")).toMatchObject({ label: "#ffffff", embed: 1 });
});

/** The pairs of a brand's colors that have less than they need, in both themes. */
function tooLow(colors: Colors): string[] {
  const sheet = inColors(sheets.app, colors);
  return (["dark", "light"] as const).flatMap((theme) => {
    const rule = sheet.slice(sheet.indexOf(`[data-theme="${theme}"] {`));
    const of = (name: string) => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(rule)?.[1] ?? name;
    const low = (least: number, text: string, on: string, ground = of(on)) =>
      contrast(colourOf(of(text)), colourOf(ground)) < least ? [`${theme} ${text} on ${on}`] : [];
    const cards = ["background", "card", "popover", "sidebar"];
    return [
      ...["primary", "primary-hover"].flatMap((on) => low(4.5, "primary-foreground", on)),
      ...cards.flatMap((on) => [
        ...["foreground", "soft", "muted-foreground", "link"].flatMap((text) => low(4.5, text, on)),
        ...low(3, "ring", on),
        ...low(3, "chart-1", on),
        ...low(4.5, "link", `a badge on ${on}`, laid(of("tint"), 0.15, of(on))),
        ...low(4.5, "muted-foreground", `a notice on ${on}`, laid(of("primary"), 0.1, of(on))),
        ...low(4.5, "foreground", `the chosen row on ${on}`, laid(of("primary"), 0.18, of(on))),
      ]),
      ...["secondary", "muted", "accent", "sidebar-accent"].flatMap((on) =>
        ["foreground", "muted-foreground"].flatMap((text) => low(4.5, text, on)),
      ),
    ];
  });
}

/** What is seen where a color lies thinly on another. */
function laid(top: string, alpha: number, ground: string): string {
  const [above, below] = [colourOf(top), colourOf(ground)];
  return `#${(["red", "green", "blue"] as const)
    .map((channel) => Math.round(above[channel] * alpha + below[channel] * (1 - alpha)))
    .map((channel) => channel.toString(16).padStart(2, "0"))
    .join("")}`;
}

/** The colors in a sheet that are no greys. */
const huesOf = (sheet: string) =>
  [...sheet.matchAll(/#([0-9a-f]{6})(?:[0-9a-f]{2})?\b/g)]
    .map(([, hex = ""]) => hex)
    .filter((hex) => new Set(hex.match(/../g)).size > 1);
