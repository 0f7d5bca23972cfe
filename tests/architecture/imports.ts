/** Reads the imports of files. Our own, because Bun's scanner leaves out type imports. */
import { existsSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

export interface Import {
  /** The importing file, relative to the root. */
  from: string;
  /** The imported file, relative to the root, or a package as written. */
  to: string;
  isPackage: boolean;
  /** Gone once types are erased: `import type …`, `export type …`, `typeof import(…)`. */
  typeOnly: boolean;
}

const declaration =
  /^[ \t]*(?:import\s+(type\s)?(?:[\w$*{},\s]+?\sfrom\s*)?|export\s+(type\s)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})\s*from\s*)["']([^"'\n]+)["']/gm;
const call = /(typeof\s+)?\b(?:import|require)\(\s*["']([^"'\n]+)["']\s*,?[^)]*\)(\.[A-Z])?/g;

/** The imports of one file; `source` is its text and `root` the folder that paths are relative to. */
export function importsOf(from: string, source: string, root: string): Import[] {
  const code = withoutComments(source);
  const declared = [...code.matchAll(declaration)].map(
    ([, importType, exportType, to]) => [to, Boolean(importType ?? exportType)] as const,
  );
  const called = [...code.matchAll(call)].map(
    ([, isTypeof, to, member]) => [to, Boolean(isTypeof ?? member)] as const,
  );
  return [...declared, ...called].map(([to = "", typeOnly]) => ({
    from,
    typeOnly,
    ...resolve(from, to, root),
  }));
}

/** Only comments that begin a line: elsewhere `/*` may be in a string, such as a route's. */
export function withoutComments(source: string): string {
  return source.replace(/^[ \t]*\/\*[\s\S]*?\*\//gm, "").replace(/^[ \t]*\/\/.*$/gm, "");
}

function resolve(from: string, to: string, root: string): { to: string; isPackage: boolean } {
  const path = pathOf(from, to);
  if (path === undefined) return { to, isPackage: true };
  const found = ["", ".ts", ".tsx", "/index.ts", "/index.tsx"].find((ending) =>
    isFile(join(root, path + ending)),
  );
  return { to: path + (found ?? ""), isPackage: false };
}

function pathOf(from: string, to: string): string | undefined {
  if (to.startsWith("@/")) return join("src", to.slice(2));
  if (to.startsWith("@bot/")) return join("bot", to.slice(5));
  if (to.startsWith(".")) return normalize(join(dirname(from), to));
  return undefined;
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** Every cycle, once, as its nodes in order. */
export function cycles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (node: string): void => {
    const at = way.indexOf(node);
    if (at >= 0) found.push([...way.slice(at), node]);
    if (at >= 0 || done.has(node)) return;
    way.push(node);
    for (const next of edges.get(node) ?? []) visit(next);
    way.pop();
    done.add(node);
  };
  for (const node of edges.keys()) visit(node);
  return found;
}

/** Imports as edges between the names of their files; an import within one name is not an edge. */
export function edgesBetween(
  imports: readonly Import[],
  name: (path: string) => string,
): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [start, end] = [name(from), name(to)];
    if (start !== end) edges.set(start, (edges.get(start) ?? new Set()).add(end));
  }
  return edges;
}
