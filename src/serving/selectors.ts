import { endOfBracket, listed } from "./css";

/** What stands in a page: the names that selectors go by. */
type Names = Record<"tags" | "classes" | "ids" | "attributes", Set<string>>;

/**
 * Tells of a selector whether it can match something in this markup, now or later: whether every name in it
 * stands somewhere. Any state may come to hold, and an attribute may take any value.
 */
export function matcher(markup: string): (selector: string) => boolean {
  const names = namesIn(markup);
  return (selector) => canMatch(selector, names);
}

function namesIn(markup: string): Names {
  const names = { tags: new Set<string>(), classes: new Set<string>(), ids: new Set<string>() };
  const attributes = new Set<string>();
  new HTMLRewriter()
    .on("*", {
      element(element) {
        names.tags.add(element.tagName);
        for (const [name = "", value = ""] of element.attributes) {
          attributes.add(name);
          if (name === "id") names.ids.add(value);
          if (name === "class") for (const one of unescaped(value).split(/\s+/)) names.classes.add(one);
        }
      },
    })
    .transform(markup);
  return { ...names, attributes };
}

/** A mark (none for a tag), a name, and maybe brackets after it. */
const simple = /(::?|[.#[]|)((?:\\.|[\w-]|[^\0-\x7f])+)/y;

function canMatch(selector: string, names: Names): boolean {
  let at = 0;
  while (at < selector.length) {
    simple.lastIndex = at;
    const [whole = "", mark = "", escaped = ""] = simple.exec(selector) ?? [];
    if (mark === "[") at = endOfBracket(selector, at) + 1;
    else at += whole.length || 1;
    const end = selector.charAt(at) === "(" ? endOfBracket(selector, at) : at;
    const inside = selector.slice(at + 1, end);
    if (end > at) at = end + 1;
    if (whole && !canHold(mark, escaped.replaceAll(/\\(.)/g, "$1"), inside, names)) return false;
  }
  return true;
}

function canHold(mark: string, name: string, inside: string, names: Names): boolean {
  if (mark === ".") return names.classes.has(name);
  if (mark === "#") return names.ids.has(name);
  if (mark === "[") return names.attributes.has(name);
  if (mark === "") return names.tags.has(name);
  if (inputsOwn.test(name)) return names.tags.has("input");
  return !ofThese.test(name) || listed(inside).some((selector) => canMatch(selector, names));
}

/** Pseudo-classes and -elements that hold for what one of the selectors in their brackets matches. */
const ofThese = /^(?:is|where|view-transition-\w+)$/;

/** The parts that only an `<input>` is made of. */
const inputsOwn = /^(?:file-selector-button|-webkit-(?:calendar|date|datetime|inner|outer|search)-.+)$/;

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

/** As React writes an attribute's value. */
function unescaped(value: string) {
  return value.replaceAll(/&([a-z]+|#x27);/g, (whole, name: string) => entities[name] ?? whole);
}
