/** Bytes from `start` up to, not including, `end`. */
export type Range = { start: number; end: number };

/** Ignores headers with more ranges (RFC 9110 §14.2 allows it), which no download manager sends. */
const mostRanges = 16;

/**
 * Parses a `Range` header for a file of `size` bytes (RFC 9110 §14.1.2) into ascending ranges, merging those
 * that touch or overlap. `null` if the header must be ignored (absent, another unit, malformed, too many
 * ranges); `"unsatisfiable"` if no range lies within the file.
 */
export function readRanges(header: string | null, size: number): Range[] | "unsatisfiable" | null {
  const [, list] = /^\s*bytes\s*=(.*)$/i.exec(header ?? "") ?? [];
  if (list === undefined) return null;
  const specs = list
    .split(",")
    .map((spec) => spec.trim())
    .filter((spec) => spec !== "");
  if (specs.length === 0 || specs.length > mostRanges) return null;
  const ranges = specs.map((spec) => readSpec(spec, size));
  if (ranges.includes(null)) return null;
  const within = ranges.filter((range) => range !== null).filter(({ start, end }) => start < end);
  return within.length === 0 ? "unsatisfiable" : joinRanges(within);
}

/** Parses `first-last`, `first-` or `-suffix`; empty if outside the file, null if malformed. */
function readSpec(spec: string, size: number): Range | null {
  const [, first, last] = /^(\d*)\s*-\s*(\d*)$/.exec(spec) ?? [];
  if (first === undefined || last === undefined || first + last === "") return null;
  if (first === "") return { start: Math.max(0, size - Number(last)), end: size };
  if (last !== "" && Number(last) < Number(first)) return null;
  return { start: Number(first), end: last === "" ? size : Math.min(Number(last) + 1, size) };
}

function joinRanges(ranges: Range[]): Range[] {
  const all: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const before = all.at(-1);
    if (before && range.start <= before.end) before.end = Math.max(before.end, range.end);
    else all.push({ ...range });
  }
  return all;
}
