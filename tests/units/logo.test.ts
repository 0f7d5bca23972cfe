import { expect, test } from "bun:test";
import { join } from "node:path";
import { initials } from "@/brand/drawn/initials";
import { readLogo } from "@/brand/drawn/logo";

const svg = (inside: string, attributes = 'viewBox="0 0 64 64"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>\n${inside}\n</svg>`;
const dot = '<circle cx="32" cy="32" r="20"/>';

test("the sample's logo is one path in the color of the text around it", async () => {
  const file = Bun.file(join(import.meta.dir, "../../src/brand/sample/logo.svg"));
  expect(readLogo(await file.text())).toEqual({
    viewBox: "0 0 64 64",
    body: expect.stringMatching(/^<path d="M33 3c[^"]*"\/>$/),
    isOneColor: true,
  });
});

test("a logo in one color gets the color of the text around it, however it names its own", () => {
  const { body, isOneColor } = readLogo(
    svg(
      '<g fill="none" stroke="#123456"><path d="M0 0h9"/></g><rect style="fill: #123456" width="3" height="4"/>',
    ),
  );
  expect(isOneColor).toBe(true);
  expect(body).toBe(
    '<g fill="none" stroke="currentColor"><path d="M0 0h9"/></g><rect width="3" height="4" fill="currentColor"/>',
  );
});

test("a logo in several colors keeps them, and its gradients have names that no page has", () => {
  const { body, isOneColor } = readLogo(
    svg(
      `<defs><linearGradient id="a"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="#00f"/></linearGradient></defs>
      <radialGradient id="b" xlink:href="#a"/><path d="M0 0h9v9z"/><circle r="9" fill="url(#b)"/>`,
      'width="64px" height="32"',
    ),
  );
  expect(isOneColor).toBe(false);
  expect(body).toStartWith('<g fill="#000"><defs><linearGradient id="logo-a">');
  expect(body).toContain('<radialGradient id="logo-b" href="#logo-a"/>');
  expect(body).toContain('fill="url(#logo-b)"');
});

test("what drawing programs add is left out", () => {
  const { body } = readLogo(
    `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made with a program -->\n${svg(
      '<g id="layer" inkscape:label="Layer" class="a" data-name="x"><circle cx="1" cy="1" r="1"/></g>',
      'viewBox="0 0 2 2" version="1.1" xml:space="preserve" xmlns:inkscape="x"',
    )}`,
  );
  expect(body).toBe('<g><circle cx="1" cy="1" r="1"/></g>');
});

const allowed = "Use shapes, groups and gradients.";
test.each([
  ["<script>alert(1)</script>", "<script> isn't allowed"],
  ["<SCRIPT/>", "<SCRIPT> isn't allowed"],
  ["<style>*{fill:url(//a.example)}</style>", "<style> isn't allowed"],
  ['<image href="https://a.example/a.png"/>', "<image> isn't allowed"],
  ['<use href="https://a.example/a.svg#a"/>', "<use> isn't allowed"],
  ["<foreignObject><p/></foreignObject>", "<foreignObject> isn't allowed"],
  ["<text>Hello</text>", "<text> isn't allowed"],
  ['<a href="javascript:alert(1)"><path d="M0 0"/></a>', "<a> isn't allowed"],
  ['<path d="M0 0"><animate attributeName="d"/></path>', "<animate> isn't allowed"],
  ['<path d="M0 0"><path d="M0 0"/></path>', "<path> isn't allowed in <path>"],
  ['<path d="M0 0" onload="alert(1)"/>', "onload on <path> isn't allowed"],
  ['<path d="M0 0" clip-path="url(#a)"/>', "clip-path on <path> isn't allowed"],
  ['<path d="M0 0" __proto__="a"/>', "__proto__ on <path> isn't allowed"],
  ["<constructor/>", "<constructor> isn't allowed"],
  ['<path d="M0 0" fill="url(https://a.example#a)"/>', 'fill on <path> can\'t be "url(https://a.example#a)"'],
  ['<path d="M0 0" style="fill:url(//a.example)"/>', 'fill on <path> can\'t be "url(//a.example)"'],
  ['<path d="M0 0" style="background:url(//a.example)"/>', "background on <path> isn't allowed"],
  ['<linearGradient href="//a.example#a"/>', 'href on <linearGradient> can\'t be "//a.example#a"'],
  ['<path fill="url(#none)" d="M0 0"/>', "no gradient is called none"],
  ['<path d="M0 0&quot;/>"/>', "<path> isn't written as XML wants it"],
  ["<path d='M0 0\" onload=\"alert(1)'/>", 'd on <path> can\'t be "M0 0\\" onload=\\"alert(1)"'],
  ['<path d="M0 0" d="M1 1"/>', "<path> has d twice"],
  ['<!DOCTYPE svg [<!ENTITY a "b">]>', "<!DOCTYPE isn't allowed"],
  ["<![CDATA[<script>]]>", "<![CDATA isn't allowed"],
  ["<?php ?>", "<?php isn't allowed"],
  ["Hello", "text isn't allowed"],
  ['<svg viewBox="0 0 9 9"/>', "<svg> isn't allowed"],
  ["</svg><circle/>", "<circle> stands outside <svg>"],
  ["</g>", "</g> stands where <svg> ends"],
])("a logo with %s is refused by name, with its line", (inside, what) => {
  expect(() => readLogo(svg(inside))).toThrow(`logo.svg, line 2: ${what}. ${allowed}`);
});

test("a logo must draw something, say how large it is, be whole, and be small", () => {
  for (const text of [
    "",
    "<svg/>",
    '<svg viewBox="0 0 0 9">',
    svg(""),
    `${svg(dot)}<svg viewBox="0 0 1 1"/>`,
  ])
    expect(() => readLogo(text)).toThrow(/^In logo\.svg, line \d: /);
  expect(() => readLogo(svg(dot).replace("</svg>", ""))).toThrow("<svg> is never closed");
  expect(() => readLogo(svg(dot.repeat(2_000)))).toThrow("logo.svg has 63 kB and may have 32");
});

test("the time to refuse a hostile text grows with its length only", () => {
  for (const inside of [
    `<g transform="scale(1)${" ".repeat(30_000)}x"/>`,
    `<g transform="${"scale(1) ".repeat(3_000)}x"/>`,
    `<g ${"a ".repeat(15_000)}/>`,
    "<!--".repeat(8_000),
    "<g>".repeat(10_000),
  ]) {
    const before = process.cpuUsage();
    expect(() => readLogo(svg(inside))).toThrow("logo.svg, line");
    // what the processor did, because other tests run beside this one
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  }
});

test("a brand without a logo has its name's first letters, or a ring where there are none to draw", () => {
  const drawn = (name: string) => initials(name).body;
  expect(drawn("Klang Fabrik")).toBe(drawn("klang-fabrik & söhne"));
  expect(drawn("Klang Fabrik")).not.toBe(drawn("Klang"));
  expect(drawn("日本")).toBe(drawn("✨"));
  for (const name of ["Klang", "Привет Мир", "Ωμέγα", "日本", ""])
    expect(readLogo(svg(drawn(name)))).toMatchObject({ isOneColor: true, body: drawn(name) });
});
