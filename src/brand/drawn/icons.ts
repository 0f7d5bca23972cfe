import { card, cardSize } from "./card";
import { loadRenderer, type Renderer } from "./renderer";
import { type Look, rounded, type Shape, tile } from "./tile";

/** What {@link drawIcons} draws, by the names at the site's root. */
export const iconNames = [
  "favicon.svg",
  "favicon.ico",
  "apple-touch-icon.png",
  "icon-192.png",
  "icon-512.png",
  "email-mark.png",
  "og.png",
] as const;

/** Files by their names at the site's root, and a sentence for whatever could not be drawn. */
export type Drawn = { files: Map<string, string | Uint8Array>; leftOut: string[] };

/** The site's icons, the picture that chats show with a link, and the mark that emails carry. */
export async function drawIcons(look: Look, render = loadRenderer()): Promise<Drawn> {
  const files: Drawn["files"] = new Map([["favicon.svg", tile(look, rounded)]]);
  if (!render) return { files, leftOut: [noRenderer] };
  const png = (size: number, shape: Shape) => fewColors(render(tile(look, shape), size));
  const leftOut: string[] = [];
  const draw = async (name: string, drawn: () => Uint8Array | Promise<Uint8Array>) => {
    try {
      files.set(name, await drawn());
    } catch {
      leftOut.push(`${name} can't be drawn. Put your own into the brand's folder "public".`);
    }
  };
  await draw("favicon.ico", async () => asIco(await png(48, rounded), 48));
  await draw("apple-touch-icon.png", () => png(180, square));
  // Square and with a wide margin: the system cuts its own shape out of them.
  await draw("icon-192.png", () => png(192, maskable));
  await draw("icon-512.png", () => png(512, maskable));
  await draw("email-mark.png", () => drawnMark(look, render));
  await draw("og.png", () => {
    const { svg, leftOut: parts } = card(look);
    leftOut.push(...parts);
    return new Bun.Image(render(svg, cardSize.width)).png().bytes();
  });
  return { files, leftOut };
}

/** The picture beside the product's name in emails, or null where none can be drawn. */
export function drawMark(look: Look, render = loadRenderer()): Uint8Array | null {
  try {
    return render && drawnMark(look, render);
  } catch {
    return null;
  }
}

const noRenderer = `There are no icons, no og.png and no mark in emails: @resvg/resvg-js has nothing for ${process.platform} on ${process.arch}. Put your own into the brand's folder "public".`;

const square: Shape = { corner: 0, margin: 0.12 };
const maskable: Shape = { corner: 0, margin: 0.2 };

/** Emails show it at 32 px. */
const drawnMark = (look: Look, render: Renderer) => render(tile(look, rounded), 96);

/** The same picture in a half or a third of the bytes. */
const fewColors = (png: Uint8Array<ArrayBuffer>) => new Bun.Image(png).png({ palette: true }).bytes();

/** An ICO file is a list of pictures, each of which may be a PNG: here of one. */
function asIco(png: Uint8Array, size: number): Buffer {
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
