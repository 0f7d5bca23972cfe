import { expect, test } from "bun:test";
import { join } from "node:path";
import { initials } from "@/brand/drawn/initials";
import { readLogo, redrawn } from "@/brand/drawn/logo";

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

const allowed = "Use shapes, groups and gradients.";
test.each([
  ["<script>alert(1)</script>", "<script> isn't allowed"],
  ["<SCRIPT/>", "<SCRIPT> isn't allowed"],
  [
    "<style>*{fill:url(//a.example)}</style>",
    '<style> isn\'t allowed: export with "presentation attributes"',
  ],
  ["<style><![CDATA[.a{}]]></style>", '<style> isn\'t allowed: export with "presentation attributes"'],
  ['<image href="https://a.example/a.png"/>', "<image> isn't allowed"],
  ['<use href="https://a.example/a.svg#a"/>', "<use> isn't allowed"],
  ["<foreignObject><p/></foreignObject>", "<foreignObject> isn't allowed"],
  ["<text>Hello</text>", "<text> isn't allowed: convert texts to paths"],
  ['<a href="javascript:alert(1)"><path d="M0 0"/></a>', "<a> isn't allowed"],
  ['<path d="M0 0"><animate attributeName="d"/></path>', "<animate> isn't allowed"],
  ['<path d="M0 0"><path d="M0 0"/></path>', "<path> isn't allowed in <path>"],
  ['<path d="M0 0" onload="alert(1)"/>', "onload on <path> isn't allowed"],
  [
    '<path d="M0 0" clip-path="url(#a)"/>',
    "clip-path on <path> isn't allowed: release the clipping mask, or export without clipped content",
  ],
  [
    "<g><clipPath><path onload='a'/></clipPath></g>",
    "<clipPath> isn't allowed: release the clipping mask, or export without clipped content",
  ],
  ['<path d="M0 0" display="none"/>', "display on <path> isn't allowed"],
  ['<path d="M0 0" constructor="none"/>', "constructor on <path> isn't allowed"],
  [
    '<path d="M0 0" style="fill:color(display-p3 1 0 0)"/>',
    'fill on <path> can\'t be "color(display-p3 1 0 0)"',
  ],
  ['<svg:path d="M0 0"/>', "<svg:path> isn't allowed"],
  ['<path d="M0 0" id="&own;"/>', "&own; in id isn't allowed"],
  ['<path d="M0 0" id="a & b"/>', "& in id isn't allowed"],
  ['<path d="M0 0" id="&#1114112;"/>', "&#1114112; in id isn't allowed"],
  ['<path d="M0 0" onload="&#97;lert(1)"/>', "onload on <path> isn't allowed"],
  ['<path d="M0 0" __proto__="a"/>', "__proto__ on <path> isn't allowed"],
  ["<constructor/>", "<constructor> isn't allowed"],
  ['<path d="M0 0" fill="url(https://a.example#a)"/>', 'fill on <path> can\'t be "url(https://a.example#a)"'],
  ['<path d="M0 0" style="fill:url(//a.example)"/>', 'fill on <path> can\'t be "url(//a.example)"'],
  ['<path d="M0 0" style="background:url(//a.example)"/>', "background on <path> isn't allowed"],
  ['<linearGradient href="//a.example#a"/>', 'href on <linearGradient> can\'t be "//a.example#a"'],
  ['<path fill="url(#none)" d="M0 0"/>', "no gradient is called none"],
  ['<path d="M0 0&quot;/>"/>', 'd on <path> can\'t be "M0 0\\"/>"'],
  ['<path d="M0 0" fill="&lt;script>"/>', 'fill on <path> can\'t be "<script>"'],
  ["<path d=M0/>", "<path> isn't written as XML wants it"],
  ["<path d='M0 0\" onload=\"alert(1)'/>", 'd on <path> can\'t be "M0 0\\" onload=\\"alert(1)"'],
  ['<path d="M0 0" d="M1 1"/>', "<path> has d twice"],
  [
    '<!DOCTYPE svg [<!ENTITY a "b">]>',
    "<!DOCTYPE with entities of its own isn't allowed: export without the program's own data",
  ],
  ["<!DOCTYPE svg>", "<!DOCTYPE isn't allowed"],
  ["<![CDATA[<script>]]>", "<![CDATA isn't allowed"],
  ["<?php ?>", "<?php isn't allowed"],
  ["Hello", "text isn't allowed"],
  ['<svg viewBox="0 0 9 9"/>', "<svg> isn't allowed"],
  [
    "</svg><circle/><g>",
    "<circle> stands outside <svg>; line 2: <g> stands outside <svg>; line 3: </svg> stands where <g> ends",
  ],
  ["</g>", "</g> stands where <svg> ends"],
])("a logo with %s is refused by name, with its line", (inside, what) => {
  expect(() => readLogo(svg(inside))).toThrow(`logo.svg, line 2: ${what}. ${allowed}`);
});

test("all that a logo may not have is named with its line", () => {
  const inside = `<style>.a{fill:red}</style>\n<g clip-path="url(#a)" class="a">\n<text><tspan>a</tspan></text>\n${'<g filter="url(#f)"/>'.repeat(3)}</g>Hello`;
  expect(() => readLogo(svg(inside, 'onload="alert(1)"'))).toThrow(
    'In logo.svg, line 1: onload on <svg> isn\'t allowed; line 1: <svg> needs a viewBox, as in viewBox="0 0 64 64"; ' +
      'line 2: <style> isn\'t allowed: export with "presentation attributes"; ' +
      "line 3: clip-path on <g> isn't allowed: release the clipping mask, or export without clipped content; " +
      "line 4: <text> isn't allowed: convert texts to paths; line 5: filter on <g> isn't allowed (3 times); " +
      `line 5: text isn't allowed. ${allowed}`,
  );
  const many = Array.from({ length: 25 }, (_, at) => `<a${at}/>`).join("");
  expect(() => readLogo(svg(many))).toThrow(`; line 2: <a19> isn't allowed; and 5 more. ${allowed}`);
});

const drawn = '<path d="M8 8h48v48z"/>';
test.each([
  [
    "Illustrator",
    `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator 27.0, SVG Export Plug-In -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" id="Layer_1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px"
  viewBox="0 0 64 64" style="enable-background:new 0 0 64 64;" xml:space="preserve"><title>logo &amp; mark</title>${drawn}</svg>`,
  ],
  [
    "Sketch",
    `<svg width="64px" height="64px" version="1.1" xmlns="http://www.w3.org/2000/svg"><title>Logo</title>
<desc>Created with Sketch.</desc><path d="M8 8h48v48z"><title>Triangle</title></path></svg>`,
  ],
  [
    "Inkscape",
    `<svg viewBox="0 0 64 64" xmlns:inkscape="a" xmlns:sodipodi="b" xmlns:rdf="c"><sodipodi:namedview id="base" pagecolor="#fff"
  inkscape:zoom="8"><inkscape:grid type="xygrid"/></sodipodi:namedview><metadata id="m"><rdf:RDF><cc:Work rdf:about="">
  <dc:format>image/svg+xml</dc:format><dc:title>&own;</dc:title></cc:Work></rdf:RDF></metadata>
  <path style="color:#000000;font-style:normal;text-indent:0;display:inline;overflow:visible;visibility:visible;marker:none;vector-effect:none;mix-blend-mode:normal;isolation:auto;paint-order:markers fill stroke;enable-background:accumulate;-inkscape-stroke:none" d="M8 8h48v48z"/></svg>`,
  ],
  [
    "Affinity",
    `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg width="100%" height="100%" viewBox="0 0 64 64" xmlns:serif="http://www.serif.com/"><path id="Ink-&amp;-Paper" serif:id="Ink &amp; &#80;aper" class="a" data-name="x" d="M8 8h48v48z"/></svg>`,
  ],
  [
    "CorelDRAW",
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="16.9333mm" height="16.9333mm" version="1.1" style="shape-rendering:geometricPrecision; text-rendering:geometricPrecision; image-rendering:optimizeQuality; clip-rule:evenodd"
viewBox="0 0 64 64"><metadata id="CorelCorpID_0Corel-Layer"/><path d="M8 8h48v48z"/></svg>`,
  ],
  [
    "Figma",
    `<svg width="64" height="64" viewBox="0 0 64 64" xmlns="http://www.w3.org/2000/svg">
<path d="M8 8h48v48z" fill="#000" style="fill:#000000;fill:color(display-p3 0 0 0);"/></svg>`,
  ],
])("a logo that %s exports is taken without what draws nothing", (_, text) => {
  const { viewBox, body } = readLogo(text);
  const shapes = body.replace(/<path d="M8 8h48v48z"(?: fill="currentColor")?(?:\/>|><\/path>)/, drawn);
  expect([viewBox, shapes.replace(/^<g .*?>|<\/g>$/g, "")]).toEqual(["0 0 64 64", drawn]);
});

test("lengths in millimeters are as many pixels as a browser makes of them", () => {
  expect(readLogo(svg(dot, 'width="25.4mm" height="1in"')).viewBox).toBe("0 0 96 96");
  expect(readLogo(svg(dot, 'width="36pt" height="2.54cm"')).viewBox).toBe("0 0 48 96");
  expect(() => readLogo(svg(dot, 'width="100%" height="100%"'))).toThrow("<svg> needs a viewBox");
});

test("a drawing that is served by itself is written anew, and keeps its colors and size", () => {
  const inside = `<title>a</title><html:script xmlns:html="http://www.w3.org/1999/xhtml">alert(1)</html:script>
    <g id="a" ev:event="load"><path fill="#123456" d="M0 0h9v9z"/></g>`;
  expect(
    redrawn(
      `<!DOCTYPE svg SYSTEM "//a.example">${svg(inside, 'viewBox="0 0 9 9" width="18"  height="18px"')}`,
    ),
  ).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="18" height="18"><g fill="#000"><g><path fill="#123456" d="M0 0h9v9z"/></g></g></svg>',
  );
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
    "<title>".repeat(4_000),
    "a<b:c/>".repeat(4_000),
    `<?${"?".repeat(30_000)}`,
    "<![CDATA[".repeat(3_000),
    `<g id="${"&a".repeat(15_000)}"/>`,
    `<g style="${"fill:x;".repeat(4_000)}"/>`,
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
