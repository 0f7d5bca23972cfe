/** Rows of a list, a page at a time. */
export type Pages<Row> = AsyncIterable<Row[]>;

/**
 * A value as JSON, a piece at a time. Lists in it may be {@link Pages}, read as they are written; `indent` is that of
 * `JSON.stringify`.
 */
export async function* jsonPieces(value: unknown, indent = 0, depth = 0): AsyncGenerator<string> {
  if (isPages(value)) {
    yield* listOf(value, indent, depth);
  } else if (hasPages(value)) {
    let begun = false;
    for (const [name, held] of Object.entries(value)) {
      if (held === undefined) continue;
      yield `${begun ? "," : "{"}${lineOf(indent, depth + 1)}${JSON.stringify(name)}:${indent > 0 ? " " : ""}`;
      yield* jsonPieces(held, indent, depth + 1);
      begun = true;
    }
    yield `${lineOf(indent, depth)}}`;
  } else yield textOf(value, indent, depth);
}

async function* listOf(pages: Pages<unknown>, indent: number, depth: number): AsyncGenerator<string> {
  const line = lineOf(indent, depth + 1);
  let begun = false;
  for await (const page of pages) {
    for (const rows of page.some(hasPages) ? page.map((row) => [row]) : [page]) {
      if (rows.length === 0) continue;
      yield `${begun ? "," : "["}${line}`;
      begun = true;
      if (hasPages(rows[0])) yield* jsonPieces(rows[0], indent, depth + 1);
      else yield rows.map((row) => textOf(row, indent, depth + 1)).join(`,${line}`);
    }
  }
  yield begun ? `${lineOf(indent, depth)}]` : "[]";
}

const isPages = (value: unknown): value is Pages<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

const hasPages = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).some((held) => isPages(held) || hasPages(held));

const textOf = (value: unknown, indent: number, depth: number): string =>
  JSON.stringify(value, null, indent).replaceAll("\n", lineOf(indent, depth));

const lineOf = (indent: number, depth: number): string =>
  indent > 0 ? `\n${" ".repeat(indent * depth)}` : "";
