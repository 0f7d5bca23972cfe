/** A tag of an SVG file, with the line that it begins on. */
export type Tag = {
  line: number;
  name: string;
  attributes: Map<string, string>;
  kind: "opens" | "closes" | "stands alone";
};

/** Refuses with a sentence that begins with the place. */
export type Refuse = (line: number, what: string) => never;

/**
 * The tags of an XML file in their order. Only what drawings need: no text, no entities, no declarations but the first
 * line's, so that nothing here can mean something else to a browser.
 */
export function* tagsOf(text: string, refuse: Refuse): Generator<Tag> {
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
  while (at < text.length) {
    if (take(/\s+/y) || take(/<!--.*?-->/sy)) continue;
    const begun = line;
    const closing = take(/<\/([\w:.-]+)\s*>/y);
    if (closing) {
      yield { line: begun, name: closing[1] ?? "", attributes: new Map(), kind: "closes" };
      continue;
    }
    const opening = take(/<([\w:.-]+)/y);
    if (!opening) refuse(begun, notATag(text.slice(at, at + 40)));
    const name = opening[1] ?? "";
    const attributes = new Map<string, string>();
    for (let one = take(attribute); one; one = take(attribute)) {
      const [, key = "", double, single = ""] = one;
      if (attributes.has(key)) refuse(begun, `<${name}> has ${key} twice`);
      attributes.set(key, double ?? single);
    }
    const end = take(/\s*(\/?)>/y);
    if (!end) refuse(line, `<${name}> isn't written as XML wants it`);
    yield { line: begun, name, attributes, kind: end[1] ? "stands alone" : "opens" };
  }
}

/** Without `&`: an entity can hide what a value is. */
const attribute = /\s+([\w:.-]+)\s*=\s*(?:"([^"<&]*)"|'([^'<&]*)')/y;

function notATag(rest: string): string {
  const named = /^<[!?]\[?\w+/.exec(rest)?.[0];
  if (named) return `${named} isn't allowed`;
  return rest.startsWith("<") ? "a tag isn't written as XML wants it" : "text isn't allowed";
}
