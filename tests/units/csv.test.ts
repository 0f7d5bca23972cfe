import { expect, test } from "bun:test";
import { array, assert, pre, property, string } from "fast-check";
import { csvLine } from "@/core/base/csv-line";
import { refusalIn } from "@/core/base/refusal";
import { readCsv } from "@/domain/imports/read-csv";

test("quoted cells may contain commas, line breaks and quotes, and line numbers stay right", () => {
  const text = '\uFEFFa,b\r\n"x, y","say ""hi"""\n\n"two\nlines",z\nlast,\n';
  expect([...readCsv(text)]).toEqual([
    { line: 1, cells: ["a", "b"] },
    { line: 2, cells: ["x, y", 'say "hi"'] },
    { line: 4, cells: ["two\nlines", "z"] },
    { line: 6, cells: ["last", ""] },
  ]);
  expect([...readCsv("a,b")]).toEqual([{ line: 1, cells: ["a", "b"] }]);
  expect([...readCsv("")]).toEqual([]);
});

test("an unclosed quote refuses the file and does not hang, since lines after it would vanish in its cell", () => {
  for (const text of ['a\nb,"c\nd', 'a\n"b"c,d', 'a\n"b" ,c']) {
    expect(refusalOf(() => [...readCsv(text)])).toStartWith("Line 2: a quote is not closed");
  }
});

test("cells are separated by commas, semicolons or tabs, and lines by any line end", () => {
  const rows = [
    { line: 1, cells: ["a", "b,c"] },
    { line: 2, cells: ["d", ""] },
  ];
  expect([...readCsv("a;b,c\r\nd;\r\n", ";")]).toEqual(rows);
  expect([...readCsv("a\tb,c\rd\t\r", "\t")]).toEqual(rows);
});

test("a cell with a semicolon is quoted, because some spreadsheets split there", () => {
  expect(csvLine(["a;=1+1", "b"])).toBe('"a;=1+1",b\n');
});

test("written cells are read back unchanged, except for the quote before a formula", () => {
  const cell = string({ unit: "binary" }).filter(
    (text) =>
      text.trim() === text &&
      !/^[\s\p{Default_Ignorable_Code_Point}]*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n']/u.test(text),
  );
  assert(
    property(array(cell, { minLength: 2, maxLength: 5 }), (cells) => {
      pre(cells.some((one) => one !== ""));
      expect([...readCsv(csvLine(cells))][0]?.cells).toEqual(cells);
    }),
  );
});

test("text that a spreadsheet would run gets an apostrophe, also behind signs that nobody sees", () => {
  for (const formula of [
    "=1+1",
    "+1",
    "-1",
    "@a",
    " =1",
    "\u200b=1",
    "\uff1d1",
    "\t1",
    "\ufeff=1",
    "\u00a0-1",
  ]) {
    expect(csvLine([formula])).toStartWith(`'${formula}`);
  }
  expect(csvLine(["\n1"])).toBe('"\'\n1"\n');
  expect(csvLine([-1, "a=1", "a@example.com"])).toBe("-1,a=1,a@example.com\n");
});

function refusalOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return refusalIn(error)?.detail.sentence;
  }
  return undefined;
}
