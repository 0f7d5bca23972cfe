/** Finds what writes on behalf of a person without asking the table of permissions. */
import { importsOf, withoutComments } from "./imports";
import { moduleOf, type SourceFile } from "./rules";

/** A declaration at the top level of a file; `names` are the declarations that its text names, as `file#name`. */
type Declared = { asks: boolean; writes: boolean; names: string[] };

const beginning =
  /^(?:export )?(?:default )?(?:async )?(?:function\*?|const|let|class|type|interface|enum) (\w+)/;
/** What sends an email is a job of the outbox, which whatever enqueued it has asked for. */
const emails = /\/emails(\/|\.ts$)/;
/** A name that is no property: after a dot, unless that is the last of three. */
const word = /(?<![\w$]|(?<!\.\.)\.)[A-Za-z_$][\w$]*/g;
const asking = /(?<![.\w])authorize(?:On)?\(/;
const writing = /\bcommit(?:IfFirst)?\(|await (?:ctx\.store\.)?db\s*\.(?:insert|update|delete)\(/;

/**
 * People's entry points: the API, the command line, and the bot's commands, buttons and forms. What else the bot does,
 * it does by itself.
 */
const entries =
  /^(src\/(api|operator)\/|bot\/(router|commands|interactions|tickets\/(?!ticket-service|threads|channels|panel)))/;
export const isEntry = ({ path }: SourceFile): boolean => entries.test(path);

/**
 * The functions of the domain that people's entry points import and that reach a write which nothing asked `authorize`
 * about, as `src/domain/a.ts#name`. It follows names from function to function, and stops at each that asks.
 */
export function unauthorized(files: readonly SourceFile[], root: string): string[] {
  const domain = new Map(
    files
      .filter(({ path }) => moduleOf(path) === "domain" && !emails.test(path))
      .flatMap((file) => Object.entries(declared(file, root))),
  );
  const reaches = (name: string, seen: Set<string>): boolean => {
    const found = domain.get(name);
    if (!found || found.asks || seen.has(name)) return false;
    seen.add(name);
    return found.writes || found.names.some((other) => reaches(other, seen));
  };
  const used = files.filter(isEntry).flatMap((file) => importedNames(file, root));
  return [...new Set(used.map(({ from }) => from))].filter((name) => reaches(name, new Set())).toSorted();
}

/** Whether the domain names an operation anywhere beside the table of permissions. */
export const isAskedFor = (files: readonly SourceFile[], operation: string): boolean =>
  files.some(
    ({ path, text }) =>
      moduleOf(path) === "domain" && !path.endsWith("/permissions.ts") && text.includes(`"${operation}"`),
  );

/** Whether an entry point writes by itself. */
export const writesItself = ({ text }: SourceFile): boolean => writing.test(withoutComments(text));

function declared(file: SourceFile, root: string): Record<string, Declared> {
  const imported = new Map(importedNames(file, root).map(({ as, from }) => [as, from]));
  const pieces = piecesOf(withoutComments(file.text));
  const own = new Map(pieces.map(({ name }) => [name, `${file.path}#${name}`]));
  return Object.fromEntries(
    pieces.map(({ name, text }) => {
      const words = new Set(text.match(word));
      words.delete(name);
      const names = [...words].map((word) => own.get(word) ?? imported.get(word) ?? "").filter(Boolean);
      return [`${file.path}#${name}`, { asks: asking.test(text), writes: writing.test(text), names }];
    }),
  );
}

/** The formatter puts every declaration of the top level, and nothing else, at the start of a line. */
function piecesOf(code: string): { name: string; text: string }[] {
  const pieces: { name: string; text: string }[] = [];
  for (const line of code.split("\n")) {
    const name = beginning.exec(line)?.[1];
    if (name) pieces.push({ name, text: line });
    else if (pieces.length > 0) pieces[pieces.length - 1]!.text += `\n${line}`;
  }
  return pieces;
}

const importing = /^import\s+(?:type\s)?\{([^}]*)\}\s*from\s*["']([^"']+)["']/gm;

/** The values that a file imports from the domain: their name here, and `file#name` there. */
function importedNames({ path, text }: SourceFile, root: string): { as: string; from: string }[] {
  return [...text.matchAll(importing)].flatMap(([whole, names = ""]) => {
    const [arrow] = importsOf(path, whole, root);
    if (!arrow || arrow.typeOnly || moduleOf(arrow.to) !== "domain") return [];
    return names
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "" && !one.startsWith("type "))
      .map((one) => one.split(/\s+as\s+/))
      .map(([name = "", as = name]) => ({ as, from: `${arrow.to}#${name}` }));
  });
}
