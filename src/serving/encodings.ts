import { promisify } from "node:util";
import zlib from "node:zlib";

/** The site's content encodings, best first. No zstd: every client that reads it reads brotli too. */
export const encodings = ["br", "gzip"] as const;
export type Encoding = (typeof encodings)[number];

/**
 * The encoding to answer with: the available encoding with the highest q-value in Accept-Encoding, then in our own
 * order (RFC 9110, 12.5.3). Undefined means uncompressed, even if the client forbids that: it is more use than a
 * refusal.
 */
export function negotiate(accept: string | null, available: (encoding: Encoding) => boolean) {
  const weights = parseWeights(accept ?? "");
  let best: { encoding: Encoding | undefined; weight: number } = { encoding: undefined, weight: 0 };
  for (const encoding of encodings) {
    const weight = weights.get(encoding) ?? weights.get("*") ?? 0;
    if (weight > best.weight && available(encoding)) best = { encoding, weight };
  }
  return best.weight >= (weights.get("identity") ?? 0) ? best.encoding : undefined;
}

/** Whether compressing a file of this type pays; pictures and fonts are compressed already. */
export function isCompressible(type: string): boolean {
  return /^text\/|[/+](?:javascript|json|xml)\b|^image\/svg|^image\/x-icon/.test(type);
}

/**
 * A build spends time on the smallest size. Each start compresses the pages again, where the highest levels would take
 * half a second of processor time to make a page 3 % smaller.
 */
export type Effort = "build" | "start";

/** Compresses off the main thread. */
export async function compress(
  bytes: Uint8Array,
  encoding: Encoding,
  effort: Effort,
): Promise<Uint8Array<ArrayBuffer>> {
  if (encoding === "gzip") return gzip(bytes, { level: effort === "build" ? 9 : 6 });
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT } =
    zlib.constants;
  return brotli(bytes, {
    params: {
      [BROTLI_PARAM_QUALITY]: effort === "build" ? 11 : 5,
      [BROTLI_PARAM_SIZE_HINT]: bytes.length,
      [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT,
    },
  });
}

const gzip = promisify<zlib.InputType, zlib.ZlibOptions, Uint8Array<ArrayBuffer>>(zlib.gzip);
const brotli = promisify<zlib.InputType, zlib.BrotliOptions, Uint8Array<ArrayBuffer>>(zlib.brotliCompress);

function parseWeights(accept: string) {
  const weights = new Map<string, number>();
  for (const part of accept.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    const weight = q === undefined ? 1 : Number(q);
    if (name) weights.set(name, weight >= 0 && weight <= 1 ? weight : 0);
  }
  return weights;
}
