import { statSync } from "node:fs";
import { join } from "node:path";
import { BrandError } from "./brand-error";
import { readLogo } from "./drawn/logo";

const served = "avif gif ico jpeg jpg pdf png svg txt webp woff woff2".split(" ");

/** The files of a brand's `public/` that are served under their own name; hidden ones are not. */
export function publicFiles(folder: string): string[] {
  const cwd = join(folder, "public");
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return [];
  return [...new Bun.Glob("**/*").scanSync({ cwd, onlyFiles: true })].map((name) =>
    name.replaceAll("\\", "/"),
  );
}

/** What is wrong with a file of `public/`, or null. Nothing there may run, or take the place of a page. */
export function publicMistake(name: string, textOf: () => string): string | null {
  if (/^(?:api|assets|fonts)\/|^robots\.txt$/.test(name)) return "has a name that the shop uses itself";
  if (!/^[\w./-]+$/.test(name)) return "may have letters, digits, dots and dashes in its name only";
  if (!served.includes(/\.(\w+)$/.exec(name)?.[1] ?? ""))
    return `isn't served: it must end in ${served.map((one) => `.${one}`).join(", ")}`;
  if (!name.endsWith(".svg")) return null;
  try {
    readLogo(textOf());
    return null;
  } catch (error) {
    if (error instanceof BrandError) return `can't be served: ${error.place} ${error.sentence}`;
    throw error;
  }
}
