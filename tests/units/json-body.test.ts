import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { nestsDeeper } from "@/api/json-body";
import { parseJson } from "@/simulators/base/json";

/** A second implementation, on the parsed value. */
const levelsOf = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map((inner) => levelsOf(inner)))
    : 0;

const awkward = fc.oneof(
  fc.string(),
  fc.constantFrom('"', "\\", '\\"', "[[[[", "{[", "]}", '["', "\\\\", '"}]'),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 8 },
    awkward,
    fc.integer(),
    fc.array(tie("tree"), { maxLength: 3 }),
    fc.dictionary(awkward, tie("tree"), { maxKeys: 3 }),
  ),
}));

test("the depth of JSON is measured without parsing it, whatever its strings hold", () => {
  fc.assert(
    fc.property(tree, fc.integer({ min: 0, max: 10 }), fc.boolean(), (value, most, spaced) => {
      const text = JSON.stringify(value, null, spaced ? 2 : 0);
      expect(nestsDeeper(text, most)).toBe(levelsOf(value) > most);
    }),
    { numRuns: 2_000 },
  );
});

test("no text makes a parser go deeper than was measured", () => {
  const pieces = fc.array(fc.constantFrom("[", "]", "{", "}", '"', "\\", ",", ":", "1", '"a":'), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join("");
      let parsed: unknown;
      try {
        parsed = JSON.parse(text);
      } catch {
        return;
      }
      expect(nestsDeeper(text, levelsOf(parsed))).toBeFalse();
      if (levelsOf(parsed) > 0) expect(nestsDeeper(text, levelsOf(parsed) - 1)).toBeTrue();
    }),
    { numRuns: 5_000 },
  );
});

test("thirty-two levels are parsed by the simulators too, and one more is refused", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  expect(levelsOf(parseJson(nested(32)))).toBe(32);
  expect(() => parseJson(nested(33))).toThrow(SyntaxError);
  expect(parseJson(`["${"[".repeat(50)}\\"["]`)).toEqual([`${"[".repeat(50)}"[`]);
});
