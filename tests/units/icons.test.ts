import { expect, test } from "bun:test";
import sharp from "sharp";
import { card } from "@/brand/drawn/card";
import { colorsFrom } from "@/brand/drawn/colors";
import { drawIcons, drawMark, iconNames } from "@/brand/drawn/icons";
import { initials } from "@/brand/drawn/initials";
import { readLogo } from "@/brand/drawn/logo";
import type { Look } from "@/brand/drawn/tile";
import { lookOf } from "@/brand/look";
import { theBrand } from "@/brand/the-brand";

const sample = lookOf(theBrand());
const colorful = readLogo(
  '<svg viewBox="-10 0 80 40"><defs><linearGradient id="a"><stop stop-color="#ff0000"/><stop offset="1" stop-color="#ffff00"/></linearGradient></defs><rect width="40" height="40" fill="url(#a)"/><circle cx="50" cy="20" r="15" fill="#00a000"/></svg>',
);
const sizes = {
  "apple-touch-icon.png": [180, 180],
  "icon-192.png": [192, 192],
  "icon-512.png": [512, 512],
  "email-mark.png": [96, 96],
  "og.png": [1200, 630],
};

const looks: [string, Look][] = [
  ["the sample's", sample],
  ["a colorful and wide", { ...sample, logo: colorful, colors: colorsFrom("#ffee00") }],
  [
    "a name's initials as the",
    { name: "Klang Fabrik", logo: initials("Klang Fabrik"), colors: colorsFrom("#0b3d2e") },
  ],
];

test.each(looks)("with %s logo every picture has its size, and the logo is seen on it", async (_, look) => {
  const { files, leftOut } = await drawIcons(look);
  expect(leftOut).toEqual([]);
  expect([...files.keys()].toSorted()).toEqual([...iconNames].toSorted());
  for (const [name, size] of Object.entries(sizes)) {
    const png = bytesOf(files.get(name));
    const { width, height, format } = await new Bun.Image(png).metadata();
    expect([name, format, width, height]).toEqual([name, "png", ...size]);
    const { channels } = await sharp(png).stats();
    expect([name, channels.some(({ stdev }) => stdev > 10)]).toEqual([name, true]);
  }
  const ico = Buffer.from(bytesOf(files.get("favicon.ico")));
  expect([ico.readUInt16LE(2), ico.readUInt8(6), ico.readUInt32LE(14)]).toEqual([1, 48, ico.length - 22]);
  expect(await new Bun.Image(ico.subarray(22)).metadata()).toMatchObject({ width: 48, format: "png" });
  expect(files.get("favicon.svg")).toStartWith(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">',
  );
});

test("the sample's logo is nearly black on the brand's color, and in another color light on a dark one", async () => {
  expect((await drawIcons(sample)).files.get("favicon.svg")).toMatch(/fill="#7f74e2".*<g fill="#0a0a0a"/);
  const other = await drawIcons({ ...sample, colors: colorsFrom("#0b3d2e") });
  expect(other.files.get("favicon.svg")).toMatch(/fill="#0b3d2e".*<g fill="#ffffff"/);
});

test("a logo with colors of its own is drawn on white, or on a dark ground if it is light", () => {
  const dark = readLogo(
    '<svg viewBox="0 0 9 9"><rect width="4" height="4" fill="#222266"/><circle r="2" fill="#ff0000"/></svg>',
  );
  const light = readLogo(
    '<svg viewBox="0 0 9 9"><rect width="4" height="4" fill="#ffffff"/><circle r="2" fill="#ffffaa"/></svg>',
  );
  const groundOf = (logo: Look["logo"]) =>
    card({ ...sample, logo }).svg.match(/rx="14.72" fill="(#\w+)"/)?.[1];
  expect([groundOf(dark), groundOf(light)]).toEqual(["#ffffff", "#0b0a12"]);
});

test("a text that the font can't draw is left out and named, and a long one is cut", async () => {
  const { leftOut, files } = await drawIcons({ ...sample, name: "日本", tagline: "かな" });
  expect(leftOut).toEqual([
    "og.png has no name: the font has no 日 本",
    "og.png has no tagline: the font has no か な",
  ]);
  expect(files.has("og.png")).toBe(true);
  const drawn = (tagline: string) => card({ ...sample, tagline }).svg.split("<path").length;
  expect(drawn("Ελληνικά и кириллица, größer")).toBeGreaterThan(drawn("Short"));
  expect(drawn("word ".repeat(300))).toBe(drawn("word ".repeat(500)));
  expect(drawn("x".repeat(300))).toBe(drawn("Short"));
});

test("og.png names no price", () => {
  const { svg } = card(sample);
  expect(svg).not.toContain("<text");
  expect(svg.match(/<path fill="#f4f3fa"/g)).toHaveLength(4);
});

test("on a system that nothing can draw on, only the icon that is text is made, and a sentence says so", async () => {
  const { files, leftOut } = await drawIcons(sample, null);
  expect([...files.keys()]).toEqual(["favicon.svg"]);
  expect(leftOut).toEqual([expect.stringMatching(/^There are no icons, no og\.png and no mark in emails: /)]);
  expect(drawMark(sample, null)).toBeNull();
});

test("what can't be drawn is left out and named, and a logo of too many groups is refused", async () => {
  const fails = () => {
    throw new Error("too deep");
  };
  const { files, leftOut } = await drawIcons(sample, fails);
  expect([...files.keys()]).toEqual(["favicon.svg"]);
  expect(leftOut).toEqual(
    iconNames
      .slice(1)
      .map((name) => `${name} can't be drawn. Put your own into the brand's folder "public".`),
  );
  expect(drawMark(sample, fails)).toBeNull();
  const nested = (groups: number) =>
    `<svg viewBox="0 0 9 9">${"<g>".repeat(groups)}<rect width="4" height="4"/>${"</g>".repeat(groups)}</svg>`;
  expect((await drawIcons({ ...sample, logo: readLogo(nested(30)) })).leftOut).toEqual([]);
  expect(() => readLogo(nested(32))).toThrow("line 1: it stands in more than 32 groups.");
});

const bytesOf = (file: string | Uint8Array | undefined) => new Uint8Array(Buffer.from(file ?? ""));
