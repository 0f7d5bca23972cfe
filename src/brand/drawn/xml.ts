/** A tag of an XML file, with the line that it begins on. */
export type Tag = {
  line: number;
  name: string;
  attributes: Map<string, string>;
  kind: "opens" | "closes" | "stands alone";
};

/** What is no tag. After what is `broken` nothing more can be read. */
export type Stray = { line: number; kind: "stray" | "broken"; what: string };

/**
 * The tags of an XML file in their order. Only what drawings need: no declarations but the first line's and a DOCTYPE that
 * declares nothing, and no entities but XML's own, so that nothing here can mean something else to a browser.
 */
export function* tagsOf(text: string): Generator<Tag | Stray> {
  let at = 0;
  let line = 1;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) return undefined;
    at += found[0].length;
    line += found[0].split("\n").length - 1;
    return found;
  };
  take(/\uFEFF?(?:<\?xml [^<>]*\?>)?/y);
  while (take(/\s+/y) || take(comment));
  take(/<!DOCTYPE\s[^<>[]*>/y);
  while (at < text.length) {
    if (take(/\s+/y) || take(comment)) continue;
    const begun = line;
    const stray = take(/[^<\s][^<]*|<!\[CDATA\[.*?\]\]>|<\?[^>]*\?>/sy);
    if (stray) {
      yield { line: begun, kind: "stray", what: notATag(stray[0]) };
      continue;
    }
    const closing = take(/<\/([\w:.-]+)\s*>/y);
    if (closing) {
      yield { line: begun, name: closing[1] ?? "", attributes: new Map(), kind: "closes" };
      continue;
    }
    const opening = take(/<([\w:.-]+)/y);
    if (!opening) {
      yield { line: begun, kind: "broken", what: notATag(text.slice(at, at + 40)) };
      return;
    }
    const name = opening[1] ?? "";
    const attributes = new Map<string, string>();
    for (let one = take(attribute); one; one = take(attribute)) {
      const [, key = "", double, single = ""] = one;
      const { value, unknown } = plain(double ?? single);
      if (unknown !== undefined)
        yield { line: begun, kind: "stray", what: `${unknown} in ${key} isn't allowed` };
      if (attributes.has(key)) yield { line: begun, kind: "stray", what: `<${name}> has ${key} twice` };
      attributes.set(key, value);
    }
    const end = take(/\s*(\/?)>/y);
    if (!end) {
      yield { line, kind: "broken", what: `<${name}> isn't written as XML wants it` };
      return;
    }
    yield { line: begun, name, attributes, kind: end[1] ? "stands alone" : "opens" };
  }
}

const comment = /<!--.*?-->/sy;
const attribute = /\s+([\w:.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;

/** A value without entities, and the first that isn't XML's own. */
function plain(typed: string): { value: string; unknown?: string } {
  let unknown: string | undefined;
  const value = typed.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));|&/gi,
    (all, decimal, hex, name = "") => {
      const code = Number(decimal ?? `0x${hex ?? "0"}`);
      if (code > 0 && code <= 0x10_ffff) return String.fromCodePoint(code);
      if (Object.hasOwn(entities, name)) return entities[name] ?? "";
      unknown ??= all.slice(0, 40);
      return "";
    },
  );
  return { value, ...(unknown !== undefined && { unknown }) };
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function notATag(rest: string): string {
  const named = /^<[!?]\[?\w+/.exec(rest)?.[0];
  if (named === "<!DOCTYPE" && rest.includes("["))
    return "<!DOCTYPE with entities of its own isn't allowed: export without the program's own data";
  if (named) return `${named} isn't allowed`;
  return rest.startsWith("<") ? "a tag isn't written as XML wants it" : "text isn't allowed";
}
