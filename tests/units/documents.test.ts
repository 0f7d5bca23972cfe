import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dir, "../..");
const pathsOf = (pattern: string) => [...new Bun.Glob(pattern).scanSync({ cwd: root })].toSorted();
const textOf = (path: string) => readFileSync(join(root, path), "utf8");
const withoutCode = (text: string) => text.replace(/^\s*```[^]*?^\s*```/gm, "").replace(/`[^`\n]*`/g, "code");

/** As GitHub names the headings of a page in links. */
const anchorsOf = (text: string) =>
  Array.from(text.replace(/^\s*```[^]*?^\s*```/gm, "").matchAll(/^#+ (.+)$/gm), ([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/\]\([^)]*\)/g, "")
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );

/** The links of a page that lead nowhere. */
function brokenLinks(path: string, text: string): string[] {
  const links = Array.from(withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g), ([, link = ""]) => link);
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [file = "", anchor] = link.split("#");
      const target = file === "" ? path : relative(root, join(root, dirname(path), file));
      if (target !== path && !existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(target === path ? text : textOf(target)).includes(anchor);
    })
    .map((link) => `${path}: ${link}`);
}

describe("documents", () => {
  const pages = [...pathsOf("*.md"), ...pathsOf("docs/**/*.md")];

  test("every link leads to a file, and to a heading in it", () => {
    expect(pages).toContain("docs/decisions/README.md");
    expect(pages.flatMap((path) => brokenLinks(path, textOf(path)))).toEqual([]);
  });
});

describe("decision records", () => {
  const records = pathsOf("docs/decisions/[0-9]*.md");
  const index = textOf("docs/decisions/README.md");

  test("the index lists every record once, with its number", () => {
    const [lists = ""] = index.split("\n## Superseded numbers\n");
    const listed = Array.from(lists.matchAll(/^\| \[(\d+)\. [^\]]+\]\(([^)]+)\)/gm), ([, number, file]) => ({
      number: Number(number),
      path: `docs/decisions/${file}`,
    }));
    expect(listed.map(({ path }) => path).toSorted()).toEqual(records);
    for (const { number, path } of listed) {
      expect([path, textOf(path).startsWith(`# ${number}. `)]).toEqual([path, true]);
    }
  });

  test("every number has a record, or is among the superseded ones", () => {
    const [, superseded = ""] = index.split("\n## Superseded numbers\n");
    const numbers = [
      ...records.map((path) => Number(path.slice("docs/decisions/".length).split("-")[0])),
      ...Array.from(superseded.matchAll(/(?:^\| |, )(\d+) /gm), ([, number]) => Number(number)),
    ];
    const all = [...new Set(numbers)].toSorted((one, other) => one - other);
    expect(all).toEqual(all.map((_, at) => at + 1));
  });

  test("code that names a record names one that exists", () => {
    const files = pathsOf("{src,bot,tests}/**/*.{ts,tsx,css,html,mjs}");
    const named = files.flatMap((path) =>
      Array.from(textOf(path).matchAll(/docs\/decisions\/(\d{4})/g), ([, number]) => ({ path, number })),
    );
    const missing = named.filter(({ number }) => !records.some((record) => record.includes(`/${number}-`)));
    expect(missing).toEqual([]);
  });
});
