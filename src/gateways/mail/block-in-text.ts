import { type Block, factLines } from "@/domain/mail/blocks";

export function blockInText(block: Block): string {
  switch (block.kind) {
    case "heading":
    case "paragraph":
      return block.text;
    case "lines":
      return block.lines.join("\n");
    case "codes":
      return block.codes.map((code) => `    ${code}`).join("\n");
    case "facts":
      return factLines(block.facts);
    case "button":
      return `${block.label}: ${block.url}`;
    case "link":
      return `${block.sentence === null ? "" : `${block.sentence} `}${block.label}: ${block.url}`;
    case "quotation":
      return quoted(block.text);
    case "markdown":
      return block.source.trim();
    default:
      return block.blocks.map(blockInText).join("\n");
  }
}

/** RFC 3676 §4.5. */
const quoted = (text: string) =>
  text
    .split(/\r\n|[\r\n]/)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
