import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { BrandError } from "./brand-error";
import { colorsFrom } from "./drawn/colors";
import { initials } from "./drawn/initials";
import { type Logo, readLogo } from "./drawn/logo";
import type { MadePicture } from "./drawn/pictures";
import { jsonMistake } from "./json-mistake";
import type { LegalDocument } from "./legal/document";
import { readLegalText } from "./legal/read";
import { fillTemplate, type TemplateValues } from "./legal/template";
import { publicFiles, publicMistake } from "./public";
import { type BrandData, brandSchema, type Tickets } from "./schema";

/** A brand with its folder, its logo, its legal texts, and what stands in for what it leaves out. */
export type Brand = BrandData & {
  folder: string;
  logo: Logo;
  legal: Record<LegalName, LegalText>;
  templates: { tickets: Tickets };
  /** The files made of pictures that are given as one, by their names. */
  made?: ReadonlyMap<string, MadePicture>;
};
export const legalNames = ["terms", "privacy", "refunds"] as const;
type LegalName = (typeof legalNames)[number];
type LegalText = { markdown: string; document: LegalDocument };

/** Reads the brand in a folder; throws a {@link BrandError} at its first mistake. */
export function readBrand(folder: string): Brand {
  const { brand, mistakes } = lookAt(folder);
  if (brand === null) throw mistakes[0] ?? new BrandError(folder, "", "can't be read");
  return brand;
}

/** Everything that is wrong with the brand in a folder. */
export const brandMistakes = (folder: string): BrandError[] => lookAt(folder).mistakes;

function lookAt(folder: string): { brand: Brand | null; mistakes: BrandError[] } {
  const mistakes: BrandError[] = [];
  const tried = <T>(file: string, read: (file: string) => T): T | null => {
    try {
      return read(file);
    } catch (error) {
      if (!(error instanceof BrandError)) throw error;
      mistakes.push(new BrandError(file, error.place, error.sentence));
      return null;
    }
  };
  const file = join(folder, "brand.json");
  const data = tried(file, jsonIn);
  if (data === null) return { brand: null, mistakes };
  const { data: read, error } = brandSchema.safeParse(data, { reportInput: true });
  mistakes.push(
    ...(error?.issues ?? []).flatMap((issue) => mistakesIn(issue).map((one) => new BrandError(file, ...one))),
  );
  const logo = tried(join(folder, "logo.svg"), (path) =>
    existsSync(path) ? readLogo(textOf(path)) : initials(read?.product ?? ""),
  );
  tried(file, () => colorsFrom(read?.color));
  const [terms, privacy, refunds] = legalNames.map((name) =>
    tried(join(folder, `${name}.md`), (path) => {
      const markdown = existsSync(path) ? textOf(path) : read && standIn(name, read);
      return markdown === undefined ? null : { markdown, document: readLegalText(markdown) };
    }),
  );
  const { heroPicture, gallery = [] } = read ?? {};
  if (heroPicture !== undefined && gallery.every(({ picture }) => picture !== heroPicture))
    mistakes.push(new BrandError(file, "heroPicture", "must be one of the gallery's pictures"));
  for (const name of publicFiles(folder)) {
    const path = join(folder, "public", name);
    const sentence = tried(path, () => publicMistake(name, () => textOf(path)));
    if (sentence !== null) mistakes.push(new BrandError(path, "", sentence));
  }
  if (!read || !logo || !terms || !privacy || !refunds || mistakes.length > 0)
    return { brand: null, mistakes };
  const tickets = ticketsTemplate();
  const legal = { terms, privacy, refunds };
  return { brand: { ...read, folder, logo, legal, templates: { tickets } }, mistakes };
}

/** A template in place of a legal text that isn't there, filled with what the brand says. */
const standIn = (name: LegalName, { product, supportEmail }: BrandData): string =>
  legalTemplate(name, { product, seller: product, support: supportEmail, date: "November 30, 2026" });

type Filling = Omit<TemplateValues, "address"> & { address?: string | undefined };

/** A legal text's template, filled once; without an `address` it names none. */
export function legalTemplate(name: LegalName, { address = "", ...values }: Filling): string {
  const template = textOf(join(templates, `${name}.md`));
  const fit = address === "" ? template.replaceAll(", on <{address}>", "") : template;
  return fillTemplate(fit, { ...values, address });
}

/** The support topics that stand in for a brand's own. */
export const ticketsTemplate = (): Tickets => jsonIn(join(templates, "tickets.json")) as Tickets;

/** What stands in for what an owner's brand leaves out; it names no product. */
const templates = join(import.meta.dir, "templates");

function jsonIn(file: string): unknown {
  const text = textOf(file).replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text);
  } catch {
    const { line, column, expected } = jsonMistake(text) ?? { line: 1, column: 1, expected: "JSON" };
    throw new BrandError(file, `line ${line}, column ${column}`, `should have ${expected}`);
  }
}

const largest = 2_000_000;

function textOf(file: string): string {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found?.isFile()) throw new BrandError(file, "", "is missing");
    if (found.size > largest) throw new BrandError(file, "", "is too large: it may have 2 MB");
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof BrandError) throw error;
    if (error instanceof TypeError) throw new BrandError(file, "", "is not a text in UTF-8");
    throw new BrandError(file, "", "can't be read");
  }
}

type Issue = z.core.$ZodIssue;

/** Where, and what. */
function mistakesIn(issue: Issue): [string, string][] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => [
      placeOf([...issue.path, key]),
      "is no field of a brand; perhaps it is mistyped",
    ]);
  return [[placeOf(issue.path), sentenceOf(issue)]];
}

function sentenceOf(issue: Issue): string {
  // what a field needs, in its own words
  if (issue.message.startsWith("must ")) return issue.message;
  if (issue.code === "invalid_type")
    return issue.input === undefined ? "is missing" : `must be ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code === "too_small")
    return issue.minimum === 1 ? "must not be empty" : `is too small: ${issue.minimum} is the least`;
  if (issue.code === "too_big")
    return issue.origin === "string"
      ? `is too long: it may have ${issue.maximum} characters`
      : `is too much: ${issue.maximum} is the most`;
  return issue.code === "invalid_key" ? "is a name that doesn't fit: it must be a short word" : "doesn't fit";
}

const kinds: Record<string, string> = {
  string: 'a text in "quotes"',
  int: "a whole number",
  number: "a number",
  array: "a list",
  tuple: "a list",
  object: "a group of fields",
  record: "a group of fields",
  boolean: "true or false",
};

const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
