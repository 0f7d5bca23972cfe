/** A statement of a stylesheet (a declaration, `@layer a, b`), or with `inner` a block: a rule, an at-rule. */
export type Css = { head: string; inner?: Css[] };

/** Reads CSS whose rules are not nested in each other, as Tailwind's optimizer leaves it. */
export function parseCss(text: string): Css[] {
  const root: Css[] = [];
  const open: Css[][] = [];
  let list = root;
  let start = 0;
  for (const [at, char] of marks(text, ";{}")) {
    const head = text
      .slice(start, at)
      .replaceAll(/\/\*[^]*?\*\//g, "")
      .trim();
    start = at + 1;
    if (char === "{") {
      const inner: Css[] = [];
      list.push({ head, inner });
      open.push(list);
      list = inner;
      continue;
    }
    if (head) list.push({ head });
    if (char === "}") list = open.pop() ?? fail(text, at);
  }
  if (open.length > 0) fail(text, text.length);
  return root;
}

export function printCss(list: Css[]): string {
  return list
    .map(({ head, inner }, index) => {
      if (inner) return `${head}{${printCss(inner)}}`;
      // the last declaration of a block needs no end, a statement does
      return index < list.length - 1 || head.startsWith("@") ? `${head};` : head;
    })
    .join("");
}

/** The parts of a list in CSS, as a rule's selectors: a comma within brackets or a string parts nothing. */
export function listed(text: string): string[] {
  const ends = [...marks(text, ",")].map(([at]) => at);
  return [...ends, text.length].map((end, index) =>
    text.slice(index ? (ends[index - 1] ?? 0) + 1 : 0, end).trim(),
  );
}

/** Where the bracket ends that begins at `start`. */
export function endOfBracket(text: string, start: number): number {
  const [first] = marks(text.slice(start + 1), ")]");
  return first ? start + 1 + first[0] : fail(text, start);
}

/** Where one of `chars` stands outside of strings, comments and brackets, not escaped. */
function* marks(text: string, chars: string): Generator<[number, string]> {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\\") at += 1;
    else if (char === '"' || char === "'") at = endOfString(text, at);
    else if (text.startsWith("/*", at)) at = text.indexOf("*/", at) + 1;
    else if (depth === 0 && chars.includes(char)) yield [at, char];
    else if (char === "(" || char === "[") depth += 1;
    else if (char === ")" || char === "]") depth -= 1;
  }
}

function endOfString(text: string, start: number) {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === "\\") at += 1;
    else if (text.charAt(at) === quote) return at;
  }
  return text.length;
}

function fail(text: string, at: number): never {
  throw new Error(`The stylesheet's blocks don't match near: ${text.slice(Math.max(0, at - 80), at + 1)}`);
}
