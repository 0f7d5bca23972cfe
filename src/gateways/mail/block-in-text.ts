import { type Block, factLines } from "@/domain/mail/blocks";

/** A block as plain text; each key, code and link is alone on its line, so that one click selects it. */
export function blockInText(block: Block): string {
  switch (block.kind) {
    case "heading":
    case "subheading":
    case "paragraph":
      return block.text;
    case "lines":
      return block.lines.join("\n");
    case "codes":
      return block.codes.map((code) => `    ${code}`).join("\n");
    case "amount":
      return `${block.name}: ${block.text}`;
    case "facts":
      return factLines(block.facts);
    case "button":
      return `${block.label}:\n${block.url}`;
    case "link":
      return `${block.sentence === null ? "" : `${block.sentence} `}${block.label}:\n${block.url}`;
    case "quotation":
      return quoted(block.text);
    default:
      return block.source.trim();
  }
}

/** RFC 3676 §4.5. */
const quoted = (text: string) =>
  text
    .split(/\r\n|[\r\n]/)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
