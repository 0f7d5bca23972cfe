/** The last is longer than any header that Bun accepts; exponential time already shows in the first ones. */
const lengths = [16, 20, 24, 28, 32, 48, 96, 1_000, 15_000];
/** A linear pattern takes a tenth of a millisecond for the longest, a quadratic one a hundred. */
const slowMilliseconds = 10;

/** The literals in a file that may be regular expressions; mistaking a division for one does no harm. */
export function patternsIn(source: string): RegExp[] {
  const literal =
    /(?<=[=(,:[!&|?{};\s>])\/(?![*/])((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)(?![\w$])/g;
  return Array.from(source.matchAll(literal)).flatMap(([, body = "", flags]) => compiled(body, flags));
}

/** Empty if it isn't a pattern. */
function compiled(body: string, flags?: string): RegExp[] {
  try {
    return [new RegExp(body, flags)];
  } catch {
    return [];
  }
}

/** The beginning of a text that makes the pattern slow; null if none of those tried does. */
export const slowedBy = (pattern: RegExp): string | null =>
  hostileTo(pattern)
    .find((text) => lengths.some((length) => isSlow(pattern, text(length))))?.(48)
    .slice(0, 48) ?? null;

/** Other threads of the process may be busy meanwhile, so only the quickest of several tries counts. */
function isSlow(pattern: RegExp, text: string): boolean {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const began = process.cpuUsage();
    text.replace(pattern, "");
    const { user, system } = process.cpuUsage(began);
    if (user + system < slowMilliseconds * 1000) return false;
  }
  return true;
}

/**
 * Long texts that keep a backtracking engine busy: each part of the pattern over and over, after whatever has to
 * come first and before something that makes it fail.
 */
function hostileTo(pattern: RegExp): ((length: number) => string)[] {
  const parts = partsOf(pattern);
  const pumps = new Set<string>();
  const texts: ((length: number) => string)[] = [];
  for (const start of parts.keys()) {
    for (const count of [1, 2, 3, 4]) {
      const pump = parts.slice(start, start + count).join("");
      const before = parts.slice(0, start).join("");
      if (pumps.has(`${before}\0${pump}`)) continue;
      pumps.add(`${before}\0${pump}`);
      for (const end of ["", "\0"]) {
        texts.push((length) => before + pump.repeat(Math.ceil(length / pump.length)) + end);
        texts.push((length) => pump.repeat(Math.ceil(length / pump.length)) + end);
      }
    }
  }
  return texts;
}

/** What each part of a pattern matches, in order: `/a\d+[xy]/` → `a`, `0`, `x`. */
function partsOf({ source, flags }: RegExp): string[] {
  const token =
    /\\[bB]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\.|\[(?:[^\]\\]|\\.)*\]|\(\?(?:[:=!]|<[=!]|<\w+>)|[*+?]\??|\{\d+(?:,\d*)?\}\??|[()|^$]|[^]/giu;
  const tokens = Array.from(source.matchAll(token), ([text]) => text);
  const syntax = /^(?:\\[bB]|\(\?.*|[*+?]\??|\{\d+(?:,\d*)?\}\??|[()|^$])$/;
  const atoms = tokens.filter((text) => !syntax.test(text));
  const classes = [...new Set(atoms)].flatMap((atom) =>
    compiled(`^(?:${atom})$`, flags.replace(/[gmy]/g, "")),
  );
  const loved = (char: string) => classes.filter((one) => one.test(char)).length;
  // a character that several parts match makes the engine try them all
  const samples = " \t\n0a-._/:,;@%=\"'\\[]<>*`~A1é中".split("").toSorted((a, b) => loved(b) - loved(a));
  const matched = atoms.map((atom) => {
    const [one] = compiled(`^(?:${atom})$`, flags.replace(/[gmy]/g, ""));
    return /^\w$/.test(atom) ? atom : (samples.find((char) => one?.test(char)) ?? atom);
  });
  return joined(tokens, syntax, matched);
}

/** Adjacent letters are one part. */
function joined(tokens: string[], syntax: RegExp, matched: string[]): string[] {
  const parts: string[] = [];
  let at = 0;
  let goesOn = false;
  for (const token of tokens) {
    if (syntax.test(token)) {
      goesOn = false;
      continue;
    }
    const text = matched[at] ?? "";
    at += 1;
    const isLetter = token === text || token === `\\${text}`;
    if (goesOn && isLetter) parts.push(`${parts.pop()}${text}`);
    else parts.push(text);
    goesOn = isLetter;
  }
  return parts;
}
