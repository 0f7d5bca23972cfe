/** Browsers take four bytes of memory for each pixel that they show, however few bytes the file has. */
const mostPixels = 25_000_000;

type Size = { width: number; height: number; animated: boolean };

/**
 * The type of a picture that can be shown, read from its bytes, whatever name and type the sender gave. Null for
 * anything else, and for a picture above 25 megapixels or animated.
 */
export function pictureType(bytes: Uint8Array): string | null {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const begin = all.toString("latin1", 0, 12);
  const kind = kinds.find(([signature]) => signature.test(begin));
  if (!kind) return null;
  const [, type, sizeOf] = kind;
  const { width, height, animated } = readable(() => sizeOf(all));
  return animated || width * height > mostPixels ? null : type;
}

/** A browser draws nothing of a picture that ends before its header does. */
function readable(size: () => Size): Size {
  try {
    return size();
  } catch (error) {
    if (error instanceof RangeError) return { width: 0, height: 0, animated: false };
    throw error;
  }
}

const kinds: [signature: RegExp, type: string, sizeOf: (bytes: Buffer) => Size][] = [
  [/^\u{89}PNG\r\n/u, "image/png", png],
  [/^\xff\xd8\xff/, "image/jpeg", jpeg],
  [/^GIF8[79]a/, "image/gif", gif],
  [/^RIFF....WEBP/s, "image/webp", webp],
];

/** https://www.w3.org/TR/png-3/#11IHDR; `acTL` before the pixels makes it animated. */
function png(bytes: Buffer): Size {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  let animated = false;
  for (let at = 8; at + 8 <= bytes.length && !animated; at += 12 + bytes.readUInt32BE(at)) {
    const chunk = bytes.toString("latin1", at + 4, at + 8);
    if (chunk === "IDAT") break;
    animated = chunk === "acTL";
  }
  return { width, height, animated };
}

/** The frame header, ITU-T T.81 B.2.2, after segments of other kinds; decoders pass over what is between them. */
function jpeg(bytes: Buffer): Size {
  for (let at = 2; ;) {
    const marker = bytes.readUInt8(at + 1);
    if (bytes.readUInt8(at) !== 0xff || marker === 0xff || marker === 0) at += 1;
    else if (isFrame(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5), animated: false };
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
}

/** SOF0 to SOF15, among which DHT, JPG and DAC have numbers. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt; a frame may be larger than the screen, which then grows. */
function gif(bytes: Buffer): Size {
  let [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  let frames = 0;
  for (let at = 13 + colours(bytes.readUInt8(10)); at < bytes.length && frames < 2;) {
    const kind = bytes.readUInt8(at);
    if (kind === 0x2c) {
      frames += 1;
      width = Math.max(width, bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5));
      height = Math.max(height, bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7));
      at = afterBlocks(bytes, at + 11 + colours(bytes.readUInt8(at + 9)));
    } else if (kind === 0x21) at = afterBlocks(bytes, at + 2);
    else break;
  }
  return { width, height, animated: frames > 1 };
}

/** How many bytes a GIF's table of colours has. */
const colours = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Where a GIF's sub-blocks end; one that is cut off ends with the file. */
function afterBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let size = bytes[at] ?? 0; size > 0; size = bytes[at] ?? 0) at += 1 + size;
  return at + 1;
}

/** https://developers.google.com/speed/webp/docs/riff_container: the largest of the sizes that its chunks name. */
function webp(bytes: Buffer): Size {
  let [width, height, animated] = [0, 0, false];
  for (let at = 12; at + 8 <= bytes.length && !animated; at += 8 + padded(bytes.readUInt32LE(at + 4))) {
    const chunk = bytes.toString("latin1", at, at + 4);
    const [w, h] = sizeIn(chunk, bytes, at + 8);
    [width, height] = [Math.max(width, w), Math.max(height, h)];
    animated =
      chunk === "ANIM" || chunk === "ANMF" || (chunk === "VP8X" && (bytes.readUInt8(at + 8) & 2) > 0);
  }
  return { width, height, animated };
}

const padded = (size: number) => size + (size % 2);

function sizeIn(chunk: string, bytes: Buffer, at: number): [width: number, height: number] {
  if (chunk === "VP8X") return [1 + bytes.readUIntLE(at + 4, 3), 1 + bytes.readUIntLE(at + 7, 3)];
  // RFC 9649 §2.5: after the start code, and for VP8L after its signature
  if (chunk === "VP8 ") return [bytes.readUInt16LE(at + 6) & 0x3fff, bytes.readUInt16LE(at + 8) & 0x3fff];
  if (chunk !== "VP8L") return [0, 0];
  const bits = bytes.readUInt32LE(at + 1);
  return [1 + (bits & 0x3fff), 1 + ((bits >> 14) & 0x3fff)];
}
