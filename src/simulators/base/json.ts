/** More than any vendor's call needs; parsing deeper JSON is slow. */
const mostLevels = 32;

/** Parses a client's JSON; throws a SyntaxError if it is malformed or nests too deep. */
export function parseJson(text: string): unknown {
  if (levelsOf(text) > mostLevels) throw new SyntaxError("The JSON nests too deep.");
  return JSON.parse(text);
}

/** How deep JSON nests, counting at most one level beyond the limit. Skips strings. */
function levelsOf(text: string): number {
  let [level, deepest] = [0, 0];
  for (let at = 0; at < text.length && deepest <= mostLevels; at += 1) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else if (sign === "[" || sign === "{") deepest = Math.max(deepest, (level += 1));
    else if (sign === "]" || sign === "}") level -= 1;
  }
  return deepest;
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
