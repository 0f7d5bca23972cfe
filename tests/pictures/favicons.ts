import { join } from "node:path";
import sharp from "sharp";

type Mark = { size: number; path: string };

/** The icons of the site and its emails, all drawn from the brand's mark: dark on a tile of the primary colour. */
export async function makeFavicons(mark: Mark, dir: string): Promise<void> {
  const png = (size: number, tile: Tile) =>
    sharp(Buffer.from(drawn(mark, tile)))
      .resize(size)
      .png({ palette: true })
      .toBuffer();
  await Bun.write(join(dir, "favicon.svg"), drawn(mark, rounded));
  await Bun.write(join(dir, "favicon.ico"), asIco(await png(48, rounded), 48));
  await Bun.write(join(dir, "apple-touch-icon.png"), await png(180, square));
  // Square and with a wide margin: the system cuts its own shape out of them.
  await Bun.write(join(dir, "icon-192.png"), await png(192, maskable));
  await Bun.write(join(dir, "icon-512.png"), await png(512, maskable));
  // Emails show it at 32 px beside the product's name.
  await Bun.write(join(dir, "email-mark.png"), await png(96, rounded));
}

/** The tile's corner and the mark's margin, as shares of the whole. */
type Tile = { corner: number; margin: number };
const rounded: Tile = { corner: 0.23, margin: 0.09 };
const square: Tile = { corner: 0, margin: 0.12 };
const maskable: Tile = { corner: 0, margin: 0.2 };

function drawn({ size, path }: Mark, { corner, margin }: Tile): string {
  const edge = size * margin;
  const scale = 1 - 2 * margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><rect width="${size}" height="${size}" rx="${size * corner}" fill="#7f74e2"/><path fill="#0a0a0a" fill-rule="evenodd" transform="translate(${edge} ${edge}) scale(${scale})" d="${path}"/></svg>`;
}

/** An ICO file is a list of pictures, each of which may be a PNG: here of one. */
function asIco(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
