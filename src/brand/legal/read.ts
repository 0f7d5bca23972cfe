import { BrandError } from "../brand-error";
import { isPlain, mustBePlain } from "../plain";
import type { Inline, LegalBlock, LegalDocument } from "./document";

/**
 * Reads a legal text from Markdown: `# ` its title, then its date in emphasis, a paragraph that sums it up, and sections
 * that begin with `## `. Lines that begin with `>` above the title are notes for the owner. HTML is text. Throws a
 * {@link BrandError}.
 */
export function readLegalText(markdown: string): LegalDocument {
  const [title, date, summary, ...rest] = blocksOf(markdown);
  if (title?.kind !== "title") throw mistake(title, "must be its title, such as # Terms of Service");
  const [, , updated] = (date?.kind === "text" && /^([*_])([^*_]+)\1$/.exec(date.text)) || [];
  if (updated === undefined)
    throw mistake(date ?? title, "must be its date in emphasis, such as _November 30, 2026_");
  if (summary?.kind !== "text")
    throw mistake(summary ?? date ?? title, "must be a paragraph that sums the text up");
  const sections: { heading: string; blocks: LegalBlock[] }[] = [];
  for (const block of rest) {
    if (block.kind === "title") throw mistake(block, "is a second title: sections begin with ##");
    if (block.kind === "heading") sections.push({ heading: plain(block), blocks: [] });
    else {
      if (sections.length === 0) sections.push({ heading: "", blocks: [] });
      sections.at(-1)?.blocks.push(legalBlock(block));
    }
  }
  return { title: plain(title), updated, summary: plain(summary), sections };
}

type Block = { kind: "title" | "heading" | "subheading" | "text"; text: string; line: number } | List;
type List = { kind: "points"; numbered: boolean; items: { text: string; line: number }[]; line: number };

const mistake = (at: { line: number } | undefined, sentence: string) =>
  new BrandError("a legal text", `line ${at?.line ?? 1}`, sentence);

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  /** What the next line may continue. */
  let open: { text: string } | null = null;
  for (const [at, whole] of markdown.split(/\r?\n/).entries()) {
    const [line, text] = [at + 1, whole.trim()];
    if (!isPlain(text)) throw mistake({ line }, mustBePlain);
    const [, marks, heading] = /^(#{1,6}) +(.+?)(?: +#+)?$/.exec(text) ?? [];
    const [, mark, item] = /^([-*+]|\d{1,3}[.)]) +(.+)$/.exec(text) ?? [];
    if (text === "" || (blocks.length === 0 && text.startsWith(">"))) open = null;
    else if (marks !== undefined && heading !== undefined) {
      blocks.push({ kind: headings[marks.length - 1] ?? "subheading", text: heading, line });
      open = null;
    } else if (mark !== undefined && item !== undefined) {
      const numbered = /\d/.test(mark);
      const last = blocks.at(-1);
      const added = { text: item, line };
      open = added;
      if (last?.kind === "points" && last.numbered === numbered) last.items.push(added);
      else blocks.push({ kind: "points", numbered, items: [added], line });
    } else if (open) open.text += ` ${text}`;
    else {
      const block: Block = { kind: "text", text, line };
      blocks.push(block);
      open = block;
    }
  }
  return blocks;
}

const headings = ["title", "heading"] as const;

function legalBlock(block: Exclude<Block, { kind: "title" | "heading" }>): LegalBlock {
  if (block.kind === "points") return { points: block.items.map(inlineOf), numbered: block.numbered };
  return block.kind === "subheading" ? { subheading: plain(block) } : { text: inlineOf(block) };
}

const plain = (block: { text: string; line: number }): string =>
  inlineOf(block)
    .map((one) => {
      if (typeof one === "string") return one;
      if ("em" in one) return one.em;
      return "strong" in one ? one.strong : one.text;
    })
    .join("");

const pieces =
  /\\(?<escaped>[!-/:-@[-`{-~])|\[(?<label>[^\][]+)\]\((?<target>[^\s()]+)\)|<(?<address>(?:https:\/\/|mailto:)[^\s<>]+)>|\*\*(?<strong>[^*\s][^*]*)\*\*|\*(?<em>[^*\s][^*]*)\*|(?<![\p{L}\p{N}_])_(?<lined>[^_\s][^_]*)_(?![\p{L}\p{N}_])/gu;

function inlineOf({ text, line }: { text: string; line: number }): Inline[] {
  const found: Inline[] = [];
  const add = (one: Inline) => {
    const last = found.at(-1);
    if (typeof one === "string" && typeof last === "string") found[found.length - 1] = last + one;
    else if (one !== "") found.push(one);
  };
  let read = 0;
  for (const match of text.matchAll(pieces)) {
    add(text.slice(read, match.index));
    read = match.index + match[0].length;
    const { escaped, label, target, address, strong, lined, em = lined } = match.groups ?? {};
    if (escaped !== undefined) add(escaped);
    else if (strong !== undefined) add({ strong });
    else if (em !== undefined) add({ em });
    else if (address !== undefined) add({ link: address, text: address.replace(/^mailto:/, "") });
    else if (label !== undefined && target !== undefined) {
      if (!/^(?:https:\/\/|mailto:)/.test(target))
        throw mistake({ line }, `links to ${target}: a link must begin with https:// or mailto:`);
      add({ link: target, text: label });
    }
  }
  add(text.slice(read));
  return found;
}
