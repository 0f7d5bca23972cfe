import { once } from "node:events";
import zlib from "node:zlib";
import { brotliParams, type Effort, type Encoding } from "./encodings";
import { freshNonce } from "./headers";

/** Stands in a page's template where each response writes its own nonce. */
export const noncePlace = "%csp-nonce-comes-here%";

/** A page that is compressed once, although each response carries another nonce. */
export type NoncedPage = {
  has: (encoding: Encoding) => boolean;
  bytes: (nonce: string, encoding: Encoding | undefined) => Uint8Array<ArrayBuffer>;
};

/** Writes a nonce of the usual 22 characters into one encoding of a page. */
type Splice = (nonce: Uint8Array) => Uint8Array<ArrayBuffer>;

/**
 * Compressing a page for each request costs more than all the rest of serving it. Both brotli and
 * deflate allow blocks of plain bytes in between, so the nonce travels in such a block and what stands
 * around it is compressed once. Each splice is proved on a trial nonce and left out if it fails.
 */
export async function noncedPage(template: string, effort: Effort): Promise<NoncedPage> {
  const [before, after, ...more] = template.split(noncePlace).map((text) => new TextEncoder().encode(text));
  if (!before || !after || more.length > 0)
    throw new Error("A page's template needs exactly one place for its nonce");
  const plain: Splice = (nonce) => concat(before, nonce, after);
  const splices = new Map<Encoding | undefined, Splice>([[undefined, plain]]);
  const br = await brotliSplice(before, after, effort);
  const gzip = gzipSplice(before, after, effort);
  if (holds(br, zlib.brotliDecompressSync, plain)) splices.set("br", br);
  if (holds(gzip, zlib.gunzipSync, plain)) splices.set("gzip", gzip);
  return {
    has: (encoding) => splices.has(encoding),
    bytes: (nonce, encoding) => (splices.get(encoding) ?? plain)(encode(nonce)),
  };
}

/**
 * The encoder sees bytes of the nonce's length that match nothing, so that no later reference reaches
 * into them, and two constant bytes after them, because the next literals' context depends on those.
 */
async function brotliSplice(before: Uint8Array, after: Uint8Array, effort: Effort): Promise<Splice> {
  const bridge = after.slice(0, 2);
  const rest = after.slice(2);
  const stand = Uint8Array.from({ length: nonceLength }, (_, index) => 0x80 + index);
  const size = before.length + after.length + nonceLength;
  const stream = zlib.createBrotliCompress({ params: brotliParams(effort, size) });
  const head = await flushed(stream, before);
  await flushed(stream, concat(stand, bridge));
  const tail = await ended(stream, rest);
  // RFC 7932, 9.2: not last, four nibbles of length, uncompressed, filled up to a whole byte.
  const header = ((nonceLength + bridge.length - 1) << 3) | (1 << 19);
  const block = Uint8Array.of(header, header >> 8, header >> 16);
  return (nonce) => concat(head, block, nonce, bridge, tail);
}

function gzipSplice(before: Uint8Array, after: Uint8Array, effort: Effort): Splice {
  const level = effort === "quick" ? 6 : 9;
  const stand = new Uint8Array(nonceLength).fill(1);
  const dictionary = concat(before, stand).slice(-32_768);
  const head = zlib.deflateRawSync(before, { level, finishFlush: zlib.constants.Z_SYNC_FLUSH });
  const tail = zlib.deflateRawSync(after, { level, dictionary });
  const start = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);
  // RFC 1951, 3.2.4: a stored block is its length, the length's complement, and the bytes.
  const block = Uint8Array.of(0, nonceLength, 0, ~nonceLength, 0xff);
  const size = before.length + nonceLength + after.length;
  const crcBefore = zlib.crc32(before);
  return (nonce) => {
    const trailer = new DataView(new ArrayBuffer(8));
    trailer.setUint32(0, zlib.crc32(after, zlib.crc32(nonce, crcBefore)), true);
    trailer.setUint32(4, size, true);
    return concat(start, head, block, nonce, tail, new Uint8Array(trailer.buffer));
  };
}

const nonceLength = freshNonce().length;

function holds(splice: Splice, decompress: (bytes: Uint8Array) => Uint8Array, plain: Splice) {
  const nonce = encode(freshNonce());
  try {
    return Buffer.compare(decompress(splice(nonce)), plain(nonce)) === 0;
  } catch {
    return false;
  }
}

async function flushed(stream: zlib.BrotliCompress, bytes: Uint8Array) {
  const output = collect(stream);
  stream.write(bytes);
  await new Promise<void>((resolve) => stream.flush(zlib.constants.BROTLI_OPERATION_FLUSH, resolve));
  return output();
}

async function ended(stream: zlib.BrotliCompress, bytes: Uint8Array) {
  const output = collect(stream);
  stream.end(bytes);
  await once(stream, "end");
  return output();
}

function collect(stream: zlib.BrotliCompress) {
  const chunks: Uint8Array[] = [];
  const keep = (chunk: Uint8Array) => chunks.push(chunk);
  stream.on("data", keep);
  return () => {
    stream.off("data", keep);
    return concat(...chunks);
  };
}

function encode(text: string) {
  return new TextEncoder().encode(text);
}

function concat(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
