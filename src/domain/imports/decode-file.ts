import { linesIn } from "./read-csv";
import { refuseLines } from "./line-notes";

type Decoded = { text: string; encoding: "UTF-8" | "UTF-16" };

/** What other files begin with. */
const foreign: [beginning: number[], name: string][] = [
  [[0xff, 0xfe, 0, 0], "UTF-32"],
  [[0, 0, 0xfe, 0xff], "UTF-32"],
  [[0x50, 0x4b, 3, 4], "a workbook of a spreadsheet (.xlsx, .ods), or a ZIP archive"],
  [[0xd0, 0xcf, 0x11, 0xe0], "a workbook of Excel (.xls)"],
  [[0x1f, 0x8b], "compressed (gzip)"],
];

/**
 * The text of a file in UTF-8 or UTF-16, with or without a byte order mark. Anything else is refused with the line and
 * what it seems to be: read as UTF-8 it would lose letters silently.
 */
export function decodeFile(bytes: Uint8Array): Decoded {
  const other = foreign.find(([beginning]) => beginning.every((byte, at) => bytes[at] === byte))?.[1];
  if (other) refuseLines([{ line: 1, sentence: `the file is ${other}: ${saveAs}` }]);
  const label = labelOf(bytes);
  const encoding = label === "utf-8" ? "UTF-8" : "UTF-16";
  const decoder = new TextDecoder(label, { fatal: true });
  let text = "";
  try {
    // a whole line at a time, so that the wrong one is known
    for (const line of linesOf(bytes, label)) text += decoder.decode(line, { stream: true });
    text += decoder.decode();
  } catch {
    const line = linesIn(text) + 1;
    return refuseLines([{ line, sentence: `it is not ${encoding}${seemsTo(bytes, label)}: ${saveAs}` }]);
  }
  const lost = text.indexOf("\uFFFD");
  if (lost < 0) return { text, encoding };
  const line = linesIn(text.slice(0, lost)) + 1;
  return refuseLines([
    { line, sentence: "it has a sign in place of a letter that an earlier conversion lost" },
  ]);
}

const saveAs = "save it as CSV in UTF-8";

type Label = "utf-8" | "utf-16le" | "utf-16be";

/** Texts have no NUL in UTF-8, and in UTF-16 every ASCII character has one. */
function labelOf(bytes: Uint8Array): Label {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? "utf-16be" : "utf-8";
}

const seemsTo = (bytes: Uint8Array, label: Label): string =>
  label === "utf-8" && !bytes.includes(0) ? " but seems to be Windows-1252 or another old encoding" : "";

function* linesOf(bytes: Uint8Array, label: Label): Generator<Uint8Array> {
  const unit = label === "utf-8" ? 1 : 2;
  const isLineFeed = (at: number) =>
    unit === 1 ||
    (at % 2 === (label === "utf-16le" ? 0 : 1) && bytes[label === "utf-16le" ? at + 1 : at - 1] === 0);
  let from = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
    if (!isLineFeed(at)) continue;
    const end = at + (label === "utf-16le" ? 2 : 1);
    yield bytes.subarray(from, end);
    from = end;
  }
  yield bytes.subarray(from);
}
