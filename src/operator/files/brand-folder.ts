import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { BrandError } from "@/brand/brand-error";
import { isSample } from "@/brand/legal/template";
import {
  type Brand,
  brandMistakes,
  legalNames,
  legalTemplate,
  readBrand,
  ticketsTemplate,
} from "@/brand/read";
import type { BrandData } from "@/brand/schema";
import { formerFolder, sampleFolder } from "@/brand/the-brand";
import { withPictures } from "@/brand/with-pictures";
import { utcDay } from "@/contract/vocabulary/dates";
import { codeOf, inOwnersWords } from "@/core/settings/in-owners-words";
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
  using draft = draftOf(folder);
  const filling = { product, seller, support: supportEmail, address, date: utcDay(new Date()) };
  inOwnersWords(folder, () => {
    writeFileSync(draft.file("brand.json"), `${JSON.stringify(data, null, 2)}\n`);
    writeFileSync(draft.file(schemaName), presentSchema());
    for (const name of legalNames) writeFileSync(draft.file(`${name}.md`), legalTemplate(name, filling));
  });
  draft.putInPlace(brandMistakes(draft.folder));
}

const schemaName = "brand.schema.json";
const presentSchema = () => readFileSync(join(sampleFolder, "..", schemaName), "utf8");

/** Brings the schema in a brand's folder, by which editors complete its fields, up to this release, if it can be written. */
export function renewSchema(folder: string): void {
  const file = join(folder, schemaName);
  if (!existsSync(file)) return;
  try {
    if (readFileSync(file, "utf8") !== presentSchema()) writeFileSync(file, presentSchema());
  } catch (error) {
    if (!/^(EACCES|EPERM|EROFS)$/.test(codeOf(error) ?? "")) throw error;
  }
}

/** What a start or the build of the pages would stop at. */
export async function mistakesIn(folder: string): Promise<BrandError[]> {
  const mistakes = brandMistakes(folder);
  if (mistakes.length > 0) return mistakes;
  const scratch = mkdtempSync(join(tmpdir(), "latchkey-pictures-"));
  try {
    await withPictures(readBrand(folder), scratch);
    return [];
  } catch (error) {
    if (error instanceof BrandError) return [error];
    throw error;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
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
  const files = inOwnersWords(folder, () =>
    [...new Bun.Glob("**/*").scanSync({ cwd: folder, onlyFiles: true })]
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name))] as const),
  );
  return new Bun.Archive(Object.fromEntries(files)).bytes();
}

/** Replaces the brand in a folder by one from a tar, if that has no mistake; else throws and leaves the folder as it is. */
export async function importBrand(folder: string, tar: Uint8Array): Promise<number> {
  const files = filesInTar(tar, largestBrand);
  if (!files.has("brand.json"))
    throw new ConfigError("There is no brand.json at the top of the tar: make it with shop brand export.");
  using draft = draftOf(folder);
  inOwnersWords(folder, () => {
    for (const [path, content] of files) {
      try {
        mkdirSync(dirname(draft.file(path)), { recursive: true });
        writeFileSync(draft.file(path), content);
      } catch (error) {
        const code = codeOf(error) ?? "";
        if (code === "ENAMETOOLONG") throw new ConfigError(`The path ${path.slice(0, 60)}… is too long.`);
        if (!["EEXIST", "EISDIR", "ENOTDIR"].includes(code)) throw error;
        throw new ConfigError(`The path ${path} is a file and a folder in the tar.`);
      }
    }
  });
  renewSchema(draft.folder);
  draft.putInPlace(await mistakesIn(draft.folder));
  return files.size;
}

/** Puts a brand back that an interrupted import had moved away, to put another in its place. */
export function putFormerBack(folder: string): void {
  if (existsSync(folder) || !existsSync(formerFolder(folder))) return;
  inOwnersWords(folder, () => renameSync(formerFolder(folder), folder));
}

/** A new folder beside a brand's, which takes its place in one step if it has no mistakes. */
function draftOf(folder: string) {
  const [drafts, former, home] = [`${basename(folder)}.draft-`, formerFolder(folder), dirname(folder)];
  const draft = join(home, drafts + randomUUID());
  inOwnersWords(folder, () => {
    // DATA_DIR, before the shop's first start
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const interrupted = readdirSync(home).filter((name) => name.startsWith(drafts));
    for (const name of interrupted) rmSync(join(home, name), { recursive: true, force: true });
    mkdirSync(draft);
  });
  return {
    folder: draft,
    file: (name: string) => join(draft, name),
    /** Whenever this is interrupted, either the former brand or this one is there. */
    putInPlace([mistake]: BrandError[]) {
      if (mistake) throw new ConfigError(mistake.message.replaceAll(`${draft}/`, ""));
      inOwnersWords(folder, () => {
        if (existsSync(folder)) {
          rmSync(former, { recursive: true, force: true });
          renameSync(folder, former);
        }
        renameSync(draft, folder);
        rmSync(former, { recursive: true, force: true });
      });
    },
    [Symbol.dispose]: () => rmSync(draft, { recursive: true, force: true }),
  };
}
