import { BrandError } from "../brand-error";
import { meaningless, parts, shapes } from "./logo-parts";
import { type Refuse, type Tag, tagsOf } from "./xml";

/** A logo whose markup was written here, and may stand in any page. */
export type Logo = {
  viewBox: string;
  /** What stands within `<svg>`. */
  body: string;
  /** Then the body is drawn in `currentColor`. */
  isOneColor: boolean;
};

const maxBytes = 32_768;
/** What draws the icons can do more, but not much. */
const deepest = 32;

/**
 * Reads a logo and writes it anew, with shapes, groups and gradients only: whatever else an SVG file can do, it can't
 * do on our pages.
 * @throws a {@link BrandError}
 */
export function readLogo(text: string): Logo {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes)
    throw new BrandError(
      "logo.svg",
      "",
      `has ${Math.ceil(bytes / 1024)} kB and may have 32, because every page carries it. Draw it with fewer points`,
    );
  const read = reader();
  for (const tag of tagsOf(text, refuse)) read.take(tag);
  return read.end();
}

const refuse: Refuse = (line, what) => {
  throw new BrandError("logo.svg", `line ${line}:`, `${what}. Use shapes, groups and gradients`);
};

type Attributes = Map<string, string>;
type Open = { name: string; fill: string; stroke: string };
type Piece = string | { name: string; attributes: Attributes; end: string };

function reader() {
  const open: Open[] = [];
  const pieces: Piece[] = [];
  const paints = new Set<string>();
  const gradients = new Set<string>();
  const references = new Map<string, number>();
  let viewBox: string | undefined;

  function begin({ line, name, attributes, kind }: Tag): void {
    const parent = open.at(-1);
    const known = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (!known || (name === "svg") !== (viewBox === undefined))
      return refuse(line, `<${name}> isn't allowed`);
    if (name !== "svg" && !parent) refuse(line, `<${name}> stands outside <svg>`);
    if (parent && shapes.includes(parent.name)) refuse(line, `<${name}> isn't allowed in <${parent.name}>`);
    const own = kept(name, attributes, known, (what) => refuse(line, what));
    const { fill = parent?.fill ?? "#000", stroke = parent?.stroke ?? "none" } = Object.fromEntries(own);
    if (shapes.includes(name)) for (const one of [fill, stroke]) paints.add(one.toLowerCase());
    for (const [key, value] of own) {
      if (key === "id") gradients.add(value);
      const id = referred(key, value);
      if (id) references.set(id, line);
    }
    if (name === "svg")
      viewBox = boxOf(own) ?? refuse(line, '<svg> needs a viewBox, as in viewBox="0 0 64 64"');
    if (open.length === deepest) refuse(line, `it stands in more than ${deepest} groups`);
    if (kind === "opens") open.push({ name, fill, stroke });
    pieces.push({ name, attributes: own, end: kind === "opens" ? ">" : "/>" });
  }

  return {
    take(tag: Tag) {
      if (tag.kind !== "closes") return begin(tag);
      const name = open.pop()?.name;
      if (name !== tag.name)
        refuse(tag.line, `</${tag.name}> stands where ${name ? `<${name}>` : "nothing"} ends`);
      pieces.push(`</${tag.name}>`);
    },
    end(): Logo {
      if (viewBox === undefined) return refuse(1, "there is no <svg>");
      const left = open.at(-1);
      if (left) refuse(1, `<${left.name}> is never closed`);
      for (const [id, line] of references)
        if (!gradients.has(id)) refuse(line, `no gradient is called ${id}`);
      paints.delete("none");
      if (paints.size === 0) refuse(1, "nothing is drawn");
      const isOneColor = paints.size === 1 && ![...paints].some((paint) => paint.startsWith("url("));
      return { viewBox, body: written(pieces, isOneColor), isOneColor };
    },
  };
}

/** The attributes that mean something, those of a `style` among them. */
function kept(
  name: string,
  given: Attributes,
  known: Readonly<Record<string, RegExp>>,
  refuse: (what: string) => never,
) {
  const { style = "", ...plain } = Object.fromEntries(given);
  const styled = style.split(";").flatMap((one): [string, string][] => {
    const [key = "", ...value] = one.split(":");
    return key.trim() ? [[key.trim(), value.join(":").trim()]] : [];
  });
  const own: Attributes = new Map();
  for (const [key, value] of [...Object.entries(plain), ...styled]) {
    const plainKey = key === "xlink:href" ? "href" : key;
    const values = Object.hasOwn(known, plainKey) ? known[plainKey] : undefined;
    if (!values) {
      if (!meaningless.test(key)) refuse(`${key} on <${name}> isn't allowed`);
    } else if (!values.test(value))
      refuse(`${key} on <${name}> can't be ${JSON.stringify(value.slice(0, 60))}`);
    else own.set(plainKey, value);
  }
  return own;
}

/** The gradient that a value names. */
function referred(key: string, value: string): string | undefined {
  if (key === "href") return value.slice(1);
  return /^url\(\s*['"]?#([\w.-]+)/.exec(value)?.[1];
}

function boxOf(own: Attributes): string | undefined {
  const size = ["width", "height"].map((side) => own.get(side)?.replace(/px$/, ""));
  const numbers = (own.get("viewBox") ?? `0 0 ${size.join(" ")}`)
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , width = 0, height = 0] = numbers;
  return numbers.length === 4 && numbers.every(Number.isFinite) && width > 0 && height > 0
    ? numbers.join(" ")
    : undefined;
}

/** One color becomes that of the text around the logo. Ids are ours, so that they can't be those of a page. */
function written(pieces: Piece[], isOneColor: boolean): string {
  const valueOf = (key: string, value: string) => {
    const id = referred(key, value);
    if (id) return key === "href" ? `#logo-${id}` : `url(#logo-${id})`;
    if (key === "id") return `logo-${value}`;
    return isOneColor && (key === "fill" || key === "stroke") && value !== "none" ? "currentColor" : value;
  };
  const drawn = pieces.map((piece) => {
    if (typeof piece === "string") return piece === "</svg>" ? "</g>" : piece;
    const { name, attributes, end } = piece;
    const isRoot = name === "svg";
    if (isRoot) {
      for (const key of ["viewBox", "width", "height"]) attributes.delete(key);
      if (!isOneColor && !attributes.has("fill")) attributes.set("fill", "#000");
    }
    const text = [...attributes].map(([key, value]) => ` ${key}="${valueOf(key, value)}"`).join("");
    return `<${isRoot ? "g" : name}${text}${end}`;
  });
  return drawn.join("").replace(/^<g>(.*)<\/g>$/s, "$1");
}
