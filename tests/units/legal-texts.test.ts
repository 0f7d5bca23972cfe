import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readLegalText } from "@/brand/legal/read";
import { fillTemplate, isSample } from "@/brand/legal/template";
import { texts } from "@/brand/legal";

const top = "# Terms\n\n_May 1, 2026_\n\nIn short.\n\n";
const blocks = (markdown: string) => readLegalText(`${top}## One\n\n${markdown}`).sections[0]?.blocks;

test("a legal text has a title, a date, a summary and sections", () => {
  expect(readLegalText(`${top}## One\n\nText that\ngoes over lines.\n\n### Part\n\n- a\n- b\n`)).toEqual({
    title: "Terms",
    updated: "May 1, 2026",
    summary: "In short.",
    sections: [
      {
        heading: "One",
        blocks: [
          { text: ["Text that goes over lines."] },
          { subheading: "Part" },
          { points: [["a"], ["b"]], numbered: false },
        ],
      },
    ],
  });
});

test("points may be numbered, and go over several lines", () => {
  expect(blocks("1. one\n2. two,\n   still\n\nafter")).toEqual([
    { points: [["one"], ["two, still"]], numbered: true },
    { text: ["after"] },
  ]);
});

test("emphasis and links to https and mailto addresses are read, wherever the text stands", () => {
  expect(blocks("An *a* **b** _c_ [d](https://e.example/f) <mailto:g@h.example>")).toEqual([
    {
      text: [
        "An ",
        { em: "a" },
        " ",
        { strong: "b" },
        " ",
        { em: "c" },
        " ",
        { link: "https://e.example/f", text: "d" },
        " ",
        { link: "mailto:g@h.example", text: "g@h.example" },
      ],
    },
  ]);
});

test("a backslash, a sign inside a word and a sum are no emphasis", () => {
  const text = "a snake_case_name, 2 * 3 * 4, *kept*";
  expect(blocks("a snake_case_name, 2 * 3 * 4, \\*kept\\*")).toEqual([{ text: [text] }]);
});

test("HTML is text", () => {
  const html = '<b onclick="x()">bold</b> <!-- a note --> <script>y</script>';
  expect(blocks(html)).toEqual([{ text: [html] }]);
});

describe("a mistake is named with its line", () => {
  const mistakes: [string, string, number, string][] = [
    ["no title", "_May 1, 2026_", 1, "must be its title, such as # Terms of Service"],
    ["no date", "# Terms\n\nIn short.", 3, "must be its date in emphasis"],
    ["no summary", "# Terms\n\n_May 1_\n\n## One", 5, "must be a paragraph"],
    ["a second title", `${top}# Again`, 7, "is a second title"],
    ["a link to a script", `${top}[a](javascript:b)`, 7, "links to javascript:b: a link must begin with"],
    ["a plain link", `${top}## A\n\n- [a](http://b.example)`, 9, "links to http://b.example"],
  ];
  for (const [what, text, line, sentence] of mistakes)
    test(what, () => {
      expect(() => readLegalText(text)).toThrow(sentence);
      expect(() => readLegalText(text)).toThrow(expect.objectContaining({ place: `line ${line}` }));
    });
});

describe("templates", () => {
  const values = {
    product: "Brush_work *Pro*",
    seller: "Ada Lovelace\n1 Main Street\nLondon",
    support: "my_help@shop.example",
    address: "https://my_shop.example",
    date: "May 1, 2026",
  };
  for (const name of ["terms", "privacy", "refunds"] as const) {
    const template = () => Bun.file(join(import.meta.dir, `../../src/brand/templates/${name}.md`)).text();

    test(`that of the ${name} names no product, and reads as a text when filled`, async () => {
      const text = await template();
      expect(text).not.toMatch(/wisp|selfbot/i);
      const filled = fillTemplate(text, values);
      expect(filled).not.toMatch(/[{}]/);
      const { updated, summary, sections } = readLegalText(filled);
      const shown = JSON.stringify([summary, sections]);
      expect(updated).toBe("May 1, 2026");
      expect(shown).not.toMatch(/sample|\\\\/);
      expect(shown).toContain("Brush_work *Pro*");
      expect(shown).toContain('{"link":"mailto:my_help@shop.example","text":"my_help@shop.example"}');
      if (name !== "refunds") expect(shown).toContain("Ada Lovelace, 1 Main Street, London");
    });

    test(`that of the ${name} is a sample until its first line is deleted`, async () => {
      const filled = fillTemplate(await template(), values);
      expect(isSample(filled)).toBe(true);
      expect(isSample(filled.slice(filled.indexOf("# ")))).toBe(false);
      expect(isSample(texts[name])).toBe(false);
    });
  }
});
