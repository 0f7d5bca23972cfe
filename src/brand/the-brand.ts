import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { partsOf } from "./parts";
import { type Brand, BrandError, readBrand } from "./read";

const sample = join(import.meta.dir, "sample");

/** The folder of this shop's brand: the one that BRAND names, else the one in DATA_DIR, else the sample. */
export function brandFolder(environment: Record<string, string | undefined> = process.env): string {
  if (environment.BRAND) return resolve(environment.BRAND);
  const own = join(resolve(environment.DATA_DIR || "./data"), "brand");
  return existsSync(own) ? own : sample;
}

let read: Brand | undefined;

/** This shop's brand, read once in a process; throws a {@link BrandError}. */
export const theBrand = (): Brand => (read ??= readBrand(brandFolder()));

/** Reads the brand before anything else needs it. If it is wrong, the sample is used in its place, for commands that mend it. */
export function brandFault(): BrandError | null {
  try {
    theBrand();
    return null;
  } catch (error) {
    if (!(error instanceof BrandError)) throw error;
    read = readBrand(sample);
    return error;
  }
}

/** What one of this folder's modules exports. */
export const partOf = <Name extends keyof Parts>(name: Name): Parts[Name] =>
  (parts ??= partsOf(theBrand()))[name];

type Parts = ReturnType<typeof partsOf>;
let parts: Parts | undefined;
