import { expect, test } from "bun:test";
import { parseCss, printCss } from "@/serving/css";
import { ownStyles } from "@/serving/own-styles";

const own = (sheet: string, markup: string) => ownStyles(parseCss(sheet), markup);

test("a sheet that is read and written is the same sheet", () => {
  const sheets = [
    '@layer a,b;@layer a{p:after{content:";}\\""}}',
    "@media (min-width:40rem){.sm\\:p-\\[1\\.5rem\\]{padding:1.5rem}}",
    'a{background:url(data:image/svg+xml;x,y);color:red}@property --x{syntax:"*";inherits:false}',
  ];
  for (const sheet of sheets) expect(printCss(parseCss(sheet))).toBe(sheet);
  expect(() => parseCss("a{b{")).toThrow("match");
  expect(() => parseCss("a}")).toThrow("match");
});

test("a page carries the rules whose every name stands in it", () => {
  const sheet = "h1,h2{a:b}.x .y{a:b}.x .z{a:b}#i{a:b}#j{a:b}[open]{a:b}[hidden]{a:b}p>.y{a:b}";
  expect(own(sheet, '<h1 class="x" id="i" hidden><b class="y">')).toBe(
    "h1{a:b}.x .y{a:b}#i{a:b}[hidden]{a:b}",
  );
});

test("a name is found as Tailwind escapes it and as React writes it", () => {
  const sheet = ".md\\:\\[\\&_svg\\]\\:p-1\\.5 svg{a:b}";
  expect(own(sheet, '<p class="a md:[&amp;_svg]:p-1.5"><svg>')).toEndWith(sheet);
  expect(own(sheet, '<p class="[&amp;_svg]:p-1.5"><svg>')).not.toContain("svg{");
});

test("a state may come to hold, and one of several selectors is enough", () => {
  const sheet = ".x:hover{a:b}.x:not(.none):has(.later){a:b}:is(.none,.x):focus{a:b}";
  expect(own(sheet, '<p class="x">')).toEndWith(sheet);
  expect(own(":is(.none,.more) .x{a:b}", '<p class="x">')).not.toContain("a:b");
});

test("variables, animations and properties go that nothing uses any more", () => {
  const sheet =
    ":root{--used:var(--deep);--deep:1;--idle:2;--animate-spin:turn 1s}" +
    ".x{a:var(--used);animation:rise 1s}.y{a:var(--idle);animation:var(--animate-spin)}" +
    "@keyframes rise{to{a:b}}@keyframes turn{to{a:b}}@property --deep{a:b}@property --idle{a:b}";
  expect(own(sheet, '<html><p class="x">')).toEndWith(
    ":root{--used:var(--deep);--deep:1}.x{a:var(--used);animation:rise 1s}@keyframes rise{to{a:b}}@property --deep{a:b}",
  );
});

test("layers keep the sheet's order, those too of which nothing is left", () => {
  const sheet = "@layer base,components;@layer components{.none{a:b}}@layer utilities{.x{a:b}}";
  expect(own(sheet, '<p class="x">')).toBe("@layer base,components,utilities;@layer utilities{.x{a:b}}");
});
