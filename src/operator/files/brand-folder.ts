import { randomUUID } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isSample } from "@/brand/legal/template";
import { type Brand, brandMistakes, legalNames, legalTemplate, ticketsTemplate } from "@/brand/read";
import type { BrandData } from "@/brand/schema";
import { formerFolder, sampleFolder } from "@/brand/the-brand";
import { utcDay } from "@/contract/vocabulary/dates";
import { asOwner } from "@/core/settings/as-owner";
import { ConfigError } from "@/core/settings/config";
import { filesInTar } from "./tar";

export type NewBrand = {
  product: string;
  shortName: string;
  keyPrefix: string;
  supportEmail: string;
  /** As a text, such as `29.00`. */
  price: string;
  /** Who sells, on one line or several. */
  seller: string;
  /** The shop's, such as `https://shop.example.com`; the terms name it. */
  address?: string | undefined;
};

/**
 * Makes a brand's folder: what every brand needs, the topics of support to be changed, and legal texts filled in and dated
 * now. Refuses a folder that exists, and names that no brand can have ({@link BrandError}).
 */
export function makeBrand(folder: string, given: NewBrand): void {
  putFormerBack(folder);
  if (existsSync(folder)) throw new ConfigError(`${folder} exists: change the brand there.`);
  const { product, shortName, keyPrefix, supportEmail, price, seller, address } = given;
  const data: BrandData = {
    $schema: "./brand.schema.json",
    product,
    shortName,
    keyPrefix,
    supportEmail,
    offer: { id: "standard", name: shortName, price, days: null },
    tickets: ticketsTemplate(),
  };
  asOwner(folder, () =>
    putInPlace(folder, (draft) => {
      writeFileSync(join(draft, "brand.json"), `${JSON.stringify(data, null, 2)}\n`);
      copyFileSync(join(sampleFolder, "../brand.schema.json"), join(draft, "brand.schema.json"));
      const filling = { product, seller, support: supportEmail, address, date: utcDay(new Date()) };
      for (const name of legalNames) writeFileSync(join(draft, `${name}.md`), legalTemplate(name, filling));
    }),
  );
}

/** What a brand still has of the sample or of the templates: `findings` are to be changed before a first sale. */
export function leftOf({ folder, legal, tickets }: Brand): { findings: string[]; notes: string[] } {
  if (folder === sampleFolder)
    return {
      findings: ["The brand is the sample. Make your own with shop setup, or with shop brand new."],
      notes: [],
    };
  const untouched = legalNames.filter((name) => isSample(legal[name].markdown)).map((name) => `${name}.md`);
  const isOurs = tickets === undefined || Bun.deepEquals(tickets, ticketsTemplate());
  return {
    findings:
      untouched.length === 0
        ? []
        : [
            `Legal texts are still templates (${untouched.join(", ")}): have them reviewed, and delete the first line of each.`,
          ],
    notes: [
      ...(isOurs ? ["The topics of support are those of the template."] : []),
      ...(existsSync(join(folder, "logo.svg")) ? [] : ["There is no logo.svg."]),
    ],
  };
}

const megabyte = 1_000_000;
/** The most that a brand may have, in bytes. */
export const largestBrand = 50 * megabyte;

/** A brand's folder as a tar, without hidden files. */
export async function brandTar(folder: string): Promise<Uint8Array> {
  const files = asOwner(folder, () =>
    [...new Bun.Glob("**/*").scanSync({ cwd: folder, onlyFiles: true })]
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name))] as const),
  );
  return new Bun.Archive(Object.fromEntries(files)).bytes();
}

/** Replaces the brand in a folder by one from a tar, if that has no mistake; else throws and leaves the folder as it is. */
export function importBrand(folder: string, tar: Uint8Array): number {
  const files = filesInTar(tar, largestBrand);
  if (!files.has("brand.json"))
    throw new ConfigError("There is no brand.json at the top of the tar: make it with shop brand export.");
  asOwner(folder, () =>
    putInPlace(folder, (draft) => {
      for (const [path, content] of files) {
        try {
          mkdirSync(dirname(join(draft, path)), { recursive: true });
          writeFileSync(join(draft, path), content);
        } catch (error) {
          const code = error instanceof Error && "code" in error ? String(error.code) : "";
          if (code === "ENAMETOOLONG") throw new ConfigError(`The path ${path.slice(0, 60)}… is too long.`);
          if (!["EEXIST", "EISDIR", "ENOTDIR"].includes(code)) throw error;
          throw new ConfigError(`The path ${path} is a file and a folder in the tar.`);
        }
      }
    }),
  );
  return files.size;
}

/** Puts a brand back that an interrupted import had moved away, to put another in its place. */
export function putFormerBack(folder: string): void {
  if (existsSync(folder) || !existsSync(formerFolder(folder))) return;
  asOwner(folder, () => renameSync(formerFolder(folder), folder));
}

/** Whenever this is interrupted, either the former brand or this one is there. */
function putInPlace(folder: string, write: (draft: string) => void): void {
  const [drafts, former, home] = [`${basename(folder)}.draft-`, formerFolder(folder), dirname(folder)];
  const draft = join(home, drafts + randomUUID());
  // DATA_DIR, before the shop's first start
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const interrupted = readdirSync(home).filter((name) => name.startsWith(drafts));
  for (const name of interrupted) rmSync(join(home, name), { recursive: true, force: true });
  mkdirSync(draft);
  try {
    write(draft);
    const [mistake] = brandMistakes(draft);
    if (mistake) throw new ConfigError(mistake.message.replaceAll(`${draft}/`, ""));
    if (existsSync(folder)) {
      rmSync(former, { recursive: true, force: true });
      renameSync(folder, former);
    }
    renameSync(draft, folder);
    rmSync(former, { recursive: true, force: true });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
