import { BrandError } from "../brand-error";
import { drawsNothing, hintOf, leftOut, meaningless, parts, shapes } from "./logo-parts";
import { type Stray, type Tag, tagsOf } from "./xml";

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
 * @throws a {@link BrandError} that names everything that a logo may not have
 */
export function readLogo(text: string): Logo {
  const { viewBox, pieces, isOneColor } = read(text);
  return { viewBox, body: written(pieces, isOneColor), isOneColor };
}

/** An SVG file written anew in the same way, with its own colors. */
export function redrawn(text: string): string {
  const { viewBox, pieces, width, height } = read(text);
  const size = width && height ? ` width="${width}" height="${height}"` : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}"${size}>${written(pieces, false)}</svg>`;
}

function read(text: string) {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes)
    throw new BrandError(
      "logo.svg",
      "",
      `has ${Math.ceil(bytes / 1024)} kB and may have 32, because every page carries it. Draw it with fewer points`,
    );
  const logo = reader();
  for (const one of tagsOf(text)) if (!logo.take(one)) break;
  return logo.end();
}

type Attributes = Map<string, string>;
/** `drawn`: false for what is left out with all that stands in it. */
type Open = { name: string; drawn: boolean; fill: string; stroke: string };
type Piece = string | { name: string; attributes: Attributes; end: string };

function reader() {
  const open: Open[] = [];
  const pieces: Piece[] = [];
  const paints = new Set<string>();
  const gradients = new Set<string>();
  const references = new Map<string, number>();
  const complaints = new Map<string, { line: number; times: number }>();
  let root: { viewBox: string; width?: string; height?: string } | undefined;

  function complain(line: number, what: string): void {
    const { line: first, times } = complaints.get(what) ?? { line, times: 0 };
    complaints.set(what, { line: first, times: times + 1 });
  }

  function begin(tag: Tag): void {
    const parent = open.at(-1);
    const drawn = parent?.drawn !== false && !leftOut.test(tag.name) && isAllowed(tag, parent);
    const { fill, stroke } = drawn ? draw(tag, parent) : { fill: "", stroke: "" };
    if (tag.kind === "opens") open.push({ name: tag.name, drawn, fill, stroke });
  }

  function isAllowed({ line, name }: Tag, parent: Open | undefined): boolean {
    const why = () => {
      if (!Object.hasOwn(parts, name) || (name === "svg") !== (root === undefined))
        return `<${name}> isn't allowed${hintOf(name)}`;
      if (name !== "svg" && !parent) return `<${name}> stands outside <svg>`;
      if (parent && shapes.includes(parent.name)) return `<${name}> isn't allowed in <${parent.name}>`;
      return open.length === deepest ? `it stands in more than ${deepest} groups` : null;
    };
    const what = why();
    if (what !== null) complain(line, what);
    return what === null;
  }

  function draw({ line, name, attributes, kind }: Tag, parent: Open | undefined) {
    const own = kept(name, attributes, parts[name] ?? {}, (what) => complain(line, what));
    const { fill = parent?.fill ?? "#000", stroke = parent?.stroke ?? "none" } = Object.fromEntries(own);
    if (shapes.includes(name)) for (const one of [fill, stroke]) paints.add(one.toLowerCase());
    for (const [key, value] of own) {
      if (key === "id") gradients.add(value);
      const id = referred(key, value);
      if (id) references.set(id, line);
    }
    if (name === "svg") {
      const viewBox = boxOf(own);
      if (viewBox === undefined) complain(line, '<svg> needs a viewBox, as in viewBox="0 0 64 64"');
      root = { viewBox: viewBox ?? "", ...sizeOf(own) };
    }
    pieces.push({ name, attributes: own, end: kind === "opens" ? ">" : "/>" });
    return { fill, stroke };
  }

  return {
    /** False if nothing more can be read. */
    take(tag: Tag | Stray): boolean {
      const parent = open.at(-1);
      if ("what" in tag) {
        if (tag.kind === "broken" || parent?.drawn !== false) complain(tag.line, tag.what);
        return tag.kind === "stray";
      }
      if (tag.kind !== "closes") begin(tag);
      else if (open.pop()?.name !== tag.name) {
        complain(tag.line, `</${tag.name}> stands where ${parent ? `<${parent.name}>` : "nothing"} ends`);
        return false;
      } else if (parent?.drawn) pieces.push(`</${tag.name}>`);
      return true;
    },
    end() {
      if (complaints.size === 0) {
        if (!root) complain(1, "there is no <svg>");
        for (const { name } of open.slice(-1)) complain(1, `<${name}> is never closed`);
        for (const [id, line] of references)
          if (!gradients.has(id)) complain(line, `no gradient is called ${id}`);
        paints.delete("none");
        if (paints.size === 0 && complaints.size === 0) complain(1, "nothing is drawn");
      }
      if (!root || complaints.size > 0) throw refusal(complaints);
      const isOneColor = paints.size === 1 && ![...paints].some((paint) => paint.startsWith("url("));
      return { ...root, pieces, isOneColor };
    },
  };
}

const mostNamed = 20;

function refusal(complaints: ReadonlyMap<string, { line: number; times: number }>): BrandError {
  const [first = "", ...others] = [...complaints].map(
    ([what, { line, times }]) => `line ${line}: ${what}${times > 1 ? ` (${times} times)` : ""}`,
  );
  const named = [first, ...others.slice(0, mostNamed - 1)].join("; ");
  const more = others.length < mostNamed ? "" : `; and ${others.length + 1 - mostNamed} more`;
  const [place = "", sentence = ""] = named.split(/(?<=^line \d+:) /);
  return new BrandError("logo.svg", place, `${sentence}${more}. Use shapes, groups and gradients`);
}

/** The attributes that mean something, those of a `style` among them; of several values the last that can be read. */
function kept(
  name: string,
  given: Attributes,
  known: Readonly<Record<string, RegExp>>,
  complain: (what: string) => void,
): Attributes {
  const { style = "", ...plain } = Object.fromEntries(given);
  const styled = style.split(";").flatMap((one): [string, string][] => {
    const [key = "", ...value] = one.split(":");
    return key.trim() ? [[key.trim(), value.join(":").trim()]] : [];
  });
  const own: Attributes = new Map();
  const unread = new Map<string, string>();
  for (const [key, value] of [...Object.entries(plain), ...styled]) {
    const plainKey = key === "xlink:href" ? "href" : key;
    const values = patternOf(known, plainKey);
    if (values?.test(value)) own.set(plainKey, value);
    else if (values) unread.set(plainKey, value);
    else if (!meaningless.test(key) && !patternOf(drawsNothing, key)?.test(value))
      complain(`${key} on <${name}> isn't allowed${hintOf(key)}`);
  }
  for (const [key, value] of unread)
    if (!own.has(key)) complain(`${key} on <${name}> can't be ${JSON.stringify(value.slice(0, 60))}`);
  return own;
}

const patternOf = (of: Readonly<Record<string, RegExp>>, key: string) =>
  Object.hasOwn(of, key) ? of[key] : undefined;

/** The gradient that a value names. */
function referred(key: string, value: string): string | undefined {
  if (key === "href") return value.slice(1);
  return /^url\(\s*['"]?#([\w.-]+)/.exec(value)?.[1];
}

function boxOf(own: Attributes): string | undefined {
  const { width: across = "", height: up = "" } = sizeOf(own);
  const numbers = (own.get("viewBox") ?? `0 0 ${across} ${up}`)
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , width = 0, height = 0] = numbers;
  return numbers.length === 4 && numbers.every(Number.isFinite) && width > 0 && height > 0
    ? numbers.join(" ")
    : undefined;
}

/** In pixels, where a file says it in lengths: https://www.w3.org/TR/css-values-4/#absolute-lengths */
function sizeOf(own: Attributes): { width?: string; height?: string } {
  const sides = ["width", "height"].flatMap((side) => {
    const [, length, unit = "px"] = /^([\d.]+)(px|pt|pc|mm|cm|in)?$/.exec(own.get(side)?.trim() ?? "") ?? [];
    const pixels = Math.round(Number(length) * (pixelsIn[unit] ?? 1) * 1_000) / 1_000;
    return pixels > 0 ? [[side, `${pixels}`]] : [];
  });
  return Object.fromEntries(sides);
}

const pixelsIn: Record<string, number> = { pt: 96 / 72, pc: 16, mm: 96 / 25.4, cm: 96 / 2.54, in: 96 };

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
      for (const key of ["viewBox", "width", "height", "x", "y"]) attributes.delete(key);
      if (!isOneColor && !attributes.has("fill")) attributes.set("fill", "#000");
    }
    const text = [...attributes].map(([key, value]) => ` ${key}="${valueOf(key, value)}"`).join("");
    return `<${isRoot ? "g" : name}${text}${end}`;
  });
  return drawn.join("").replace(/^<g>(.*)<\/g>$/s, "$1");
}
