import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { BrandError } from "../brand-error";

/** The files of a picture, without its words. */
export type MadePicture = {
  wide: { width: number; height: number; avif?: Widths; webp: Widths; jpeg: string };
  phone: { width: number; height: number; avif?: string; webp: string };
};

/** Width in pixels → file. */
type Widths = Readonly<Record<number, string>>;

/** The picture of that name in a folder, as somebody saved it. */
export const givenPicture = (folder: string, name: string): string | undefined =>
  [".png", ".jpg", ".jpeg", ".webp"]
    .map((ending) => join(folder, `${name}${ending}`))
    .find((file) => existsSync(file));

const widest = 1600;
const middle = 960;
const phone = 720;
const mostBytes = 20_000_000;
const mostPixels = 50_000_000;

/**
 * Makes what pages show of one PNG, JPEG or WebP, and writes it into a folder: WebP in three widths, and a JPEG for old
 * browsers. An AVIF beside it, which Bun can't make everywhere, is served as it is.
 * @throws a {@link BrandError}
 */
export async function makePictures(file: string, into: string): Promise<MadePicture> {
  const bytes = await readable(file);
  const name = basename(file, extname(file));
  const make = async (width: number, suffix: string, format: "webp" | "jpeg") => {
    const image = new Bun.Image(bytes).resize(width, undefined, { withoutEnlargement: true });
    const encoded = format === "webp" ? image.webp({ quality: 82 }) : image.jpeg({ quality: 80 });
    const made = await encoded.bytes().catch(() => {
      throw new BrandError(file, "", "is damaged. Save it again");
    });
    const path = join(into, `${name}-${suffix}`);
    await Bun.write(path, made);
    // known now that it is done; a photo that stands on its side was turned
    return { path, width: encoded.width, height: encoded.height };
  };
  const large = await make(widest, "large.webp", "webp");
  if (large.width < middle)
    throw new BrandError(
      file,
      "",
      `is ${large.width} pixels wide. Give one of at least ${middle}, best ${widest}`,
    );
  const webp: Record<number, string> = { [large.width]: large.path };
  if (large.width > middle) webp[middle] = (await make(middle, `${middle}.webp`, "webp")).path;
  const small = await make(phone, `phone-${phone}.webp`, "webp");
  const avif = join(dirname(file), `${name}.avif`);
  return {
    wide: {
      width: large.width,
      height: large.height,
      ...(existsSync(avif) ? { avif: { [large.width]: avif } } : {}),
      webp,
      jpeg: (await make(middle, `${middle}.jpg`, "jpeg")).path,
    },
    phone: { width: small.width, height: small.height, webp: small.path },
  };
}

/** The bytes of a picture that can be shown, as far as its size and its header tell. */
async function readable(file: string): Promise<Uint8Array<ArrayBuffer>> {
  const { size } = statSync(file);
  if (size > mostBytes)
    throw new BrandError(file, "", `has ${Math.ceil(size / 1e6)} MB and may have 20. Make it ${widest} wide`);
  const bytes = await Bun.file(file).bytes();
  const { width, height, format } = await new Bun.Image(bytes, { maxPixels: 2 ** 40 })
    .metadata()
    .catch(() => ({ width: 0, height: 0, format: "unknown" }));
  if (!["png", "jpeg", "webp"].includes(format))
    throw new BrandError(file, "", "is no PNG, JPEG or WebP. Save it as one of them");
  if (width * height > mostPixels)
    throw new BrandError(file, "", `has ${width} × ${height} pixels. Make it ${widest} wide`);
  return bytes;
}
