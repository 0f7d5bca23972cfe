import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { defaultDataDir, withoutQuotes } from "@/contract/vocabulary/plain-words";
import { BrandError } from "./brand-error";
import { partsOf } from "./parts";
import { type Brand, readBrand } from "./read";

/** The sample, with which a shop starts that has no brand of its own. */
export const sampleFolder = join(import.meta.dir, "sample");

type Environment = Record<string, string | undefined>;

/** Where this shop's own brand stands, or would stand. */
export const ownFolder = (environment: Environment = process.env): string =>
  brandSetting(environment)
    ? resolve(brandSetting(environment))
    : join(resolve(withoutQuotes(environment.DATA_DIR ?? "") || defaultDataDir), "brand");

const brandSetting = ({ BRAND }: Environment): string => withoutQuotes(BRAND ?? "");

/** Where a brand stands for the moment in which another takes its place. */
export const formerFolder = (folder: string): string => `${folder}.former`;

/** The folder of this shop's brand: the one that BRAND names, else the one in DATA_DIR, else the sample. */
export function brandFolder(environment: Environment = process.env): string {
  const own = ownFolder(environment);
  const found = [own, formerFolder(own)].find((folder) => existsSync(folder));
  return found ?? (brandSetting(environment) ? own : sampleFolder);
}

let read: Brand | undefined;

/** This shop's brand, read once in a process; throws a {@link BrandError}. */
export const theBrand = (): Brand => (read ??= readBrand(brandFolder()));

/** The brand of a folder; of this shop's own, as this process has read it: purchases name its legal texts. */
export const brandIn = (folder: string): Brand => (folder === brandFolder() ? theBrand() : readBrand(folder));

/** Reads the brand before anything else needs it. If it is wrong, the sample is used in its place, for commands that mend it. */
export function brandFault(): BrandError | null {
  try {
    theBrand();
    return null;
  } catch (error) {
    if (!(error instanceof BrandError)) throw error;
    read = readBrand(sampleFolder);
    return error;
  }
}

/** What one of this folder's modules exports. */
export const partOf = <Name extends keyof Parts>(name: Name): Parts[Name] =>
  (parts ??= partsOf(theBrand()))[name];

type Parts = ReturnType<typeof partsOf>;
let parts: Parts | undefined;
