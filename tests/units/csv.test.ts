import { expect, test } from "bun:test";
import { array, assert, pre, property, string } from "fast-check";
import { csvLine, readCsv } from "@/operator/csv";

test("cells may be quoted, and then hold commas, line breaks and quotes; lines keep their numbers", () => {
  const text = '\uFEFFa,b\r\n"x, y","say ""hi"""\n\n"two\nlines",z\nlast,\n';
  expect(readCsv(text)).toEqual([
    { line: 1, cells: ["a", "b"] },
    { line: 2, cells: ["x, y", 'say "hi"'] },
    { line: 4, cells: ["two\nlines", "z"] },
    { line: 6, cells: ["last", ""] },
  ]);
  expect(readCsv("a,b")).toEqual([{ line: 1, cells: ["a", "b"] }]);
  expect(readCsv("")).toEqual([]);
});

test("a quote that is never closed ends the reading and hangs nothing", () => {
  expect(readCsv('a,"b\nc')).toEqual([{ line: 1, cells: ["a", '"b\nc'] }]);
});

test("a cell that holds a semicolon is quoted, as some spreadsheets split at it", () => {
  expect(csvLine(["a;=1+1", "b"])).toBe('"a;=1+1",b\n');
});

test("what is written is read back, but for the quote before a formula", () => {
  const cell = string({ unit: "binary" }).filter(
    (text) => text.trim() === text && !/^[=+\-@\t\r']/.test(text),
  );
  assert(
    property(array(cell, { minLength: 2, maxLength: 5 }), (cells) => {
      pre(cells.some((one) => one !== ""));
      expect(readCsv(csvLine(cells))[0]?.cells).toEqual(cells);
    }),
  );
});
