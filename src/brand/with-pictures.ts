import { existsSync } from "node:fs";
import { join } from "node:path";
import { BrandError } from "./brand-error";
import { givenPicture, type MadePicture, makePictures } from "./drawn/pictures";
import type { Brand } from "./read";

/** The brand with the files of its pictures, those that are given as one made in `folder`; throws a {@link BrandError}. */
export async function withPictures(brand: Brand, folder: string): Promise<Brand> {
  const made = new Map<string, MadePicture>();
  const own = join(brand.folder, "pictures");
  for (const { picture } of brand.gallery ?? []) {
    const given = givenPicture(own, picture);
    if (given) made.set(picture, await makePictures(given, folder));
    else if (!existsSync(join(own, `${picture}-1600.webp`)))
      throw new BrandError(join(own, `${picture}.png`), "", "is missing; it may also be a JPEG or a WebP");
  }
  return { ...brand, made };
}
