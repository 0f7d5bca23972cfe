const token =
  /[{}[\],:]|"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;
const words = { value: "a value", name: 'a name in "quotes"', colon: "a colon", end: "a comma or the end" };

type Mistake = { line: number; column: number; expected: string };

/** Where a text stops being JSON, and what should stand there; null if it is JSON. `JSON.parse` doesn't say where. */
export function jsonMistake(text: string): Mistake | null {
  const open: string[] = [];
  let wanted: keyof typeof words = "value";
  let [at, may, done] = [0, "", false];
  for (;;) {
    at += /^[ \t\r\n]*/.exec(text.slice(at))?.[0].length ?? 0;
    if (done) return at === text.length ? null : placeOf(text, at, "nothing more");
    token.lastIndex = at;
    const found: string | undefined = token.exec(text)?.[0];
    const kind = found === undefined ? "" : /^["{}[\],:]/.test(found) ? found.charAt(0) : "literal";
    if (kind === may && kind !== "") open.pop();
    else if (wanted === "value" && (kind === "{" || kind === "[")) open.push(kind);
    else if (!(fits[wanted] as readonly string[]).includes(kind)) return placeOf(text, at, words[wanted]);
    at += found?.length ?? 0;
    const within = open.at(-1);
    const closes = within === "{" ? "}" : "]";
    if (kind === "{") [wanted, may] = ["name", "}"];
    else if (kind === "[") [wanted, may] = ["value", "]"];
    else if (wanted === "name" && kind === '"') [wanted, may] = ["colon", ""];
    else if (kind === ":") [wanted, may] = ["value", ""];
    else if (kind === ",") [wanted, may] = [within === "{" ? "name" : "value", ""];
    else [wanted, may, done] = ["end", closes, within === undefined];
  }
}

const fits = { value: ['"', "literal"], name: ['"'], colon: [":"], end: [","] } as const;

function placeOf(text: string, at: number, expected: string): Mistake {
  const before = text.slice(0, at).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  const isText = text[at] === '"' && !expected.startsWith("a co");
  return { line: before.length, column, expected: isText ? "a text that ends in its line" : expected };
}
