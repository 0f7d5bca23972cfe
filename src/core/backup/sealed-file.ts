import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { z } from "zod";

/**
 * A file encrypted in pieces (AES-256-GCM, following STREAM, Hoang et al. 2015), so that any size needs little memory.
 * Each piece's nonce contains its number and whether it is the last, and each piece authenticates the header, so no
 * piece can be changed, swapped, repeated or dropped.
 *
 *     magic line · header as a line of JSON · pieces of [4 bytes length][16 bytes tag][body]
 */
const magic = "latchkey-backup-1";
const pieceBytes = 1024 * 1024;
/** A longer header means the file is not a backup. */
const mostHeaderBytes = 4096;

/** How backups name their shop. */
const shopMark = z.object({
  /** The installation's id, the same in its copies. */
  id: z.string().regex(/^[0-9a-f]{12}$/),
  /** The host of the shop's URL, for people to recognise. */
  host: z.string().regex(/^[\w.:[\]-]{1,255}$/),
  /** The fingerprint of its SECRET_KEY. */
  secret: z.string().regex(/^[\w-]{1,64}$/),
});
export type ShopMark = z.infer<typeof shopMark>;

/** The unencrypted header. It holds nothing secret, and is not authenticated until a piece has been decrypted. */
const head = z.object({
  made: z.iso.datetime(),
  /** The setting whose key opens it. */
  key: z.enum(["BACKUP_KEY", "SECRET_KEY"]),
  /** The shop it belongs to; earlier releases wrote neither this nor `number`. */
  shop: shopMark.optional().catch(undefined),
  /** Counts a shop's backups, so that their order does not depend on its clock. */
  number: z.int().positive().optional().catch(undefined),
  /** The first 7 bytes of each piece's nonce. */
  nonce: z.string().regex(/^[\w-]{10}$/),
  /** The release that made it; earlier releases wrote none, and ignore this field. */
  release: z.string().optional(),
});
export type Head = z.infer<typeof head>;

/** The file can't be decrypted: the key is wrong or the file was changed. */
export class SealBroken extends Error {
  override name = "SealBroken";
}

/** Called with the bytes done and the total. */
type Progress = (done: number, total: number) => void;
type Sealing = { key: Uint8Array; head: Omit<Head, "nonce">; progress?: Progress | undefined };

/** Yields the encrypted file. */
export async function* sealed(source: Blob, { key, head, progress }: Sealing): AsyncGenerator<Uint8Array> {
  const whole: Head = { ...head, nonce: randomBytes(7).toString("base64url") };
  const start = Buffer.from(`${magic}\n${JSON.stringify(whole)}\n`);
  yield start;
  const pieces = Math.max(1, Math.ceil(source.size / pieceBytes));
  for (let at = 0; at < pieces; at += 1) {
    const bytes = await source.slice(at * pieceBytes, (at + 1) * pieceBytes).bytes();
    const packed = await Bun.zstdCompress(bytes);
    const cipher = createCipheriv("aes-256-gcm", key, nonceOf(whole, at, at === pieces - 1)).setAAD(start);
    const body = Buffer.concat([cipher.update(packed), cipher.final()]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    yield Buffer.concat([length, cipher.getAuthTag(), body]);
    progress?.(Math.min((at + 1) * pieceBytes, source.size), source.size);
  }
}

/** Reads the header, which is not authenticated yet. Throws {@link SealBroken}. */
export async function headOf(file: Blob): Promise<{ head: Head; start: Buffer }> {
  const text = Buffer.from(await file.slice(0, mostHeaderBytes).bytes()).toString("latin1");
  const [first, second] = text.split("\n", 2);
  const start = Buffer.from(`${first}\n${second}\n`, "latin1");
  try {
    if (first !== magic) throw new SealBroken();
    return { head: head.parse(JSON.parse(second ?? "")), start };
  } catch {
    throw new SealBroken("not a backup made by this shop, or damaged");
  }
}

/** Yields the decrypted content, each piece only after authenticating it. Throws {@link SealBroken}. */
export async function* opened(file: Blob, key: Uint8Array, progress?: Progress): AsyncGenerator<Uint8Array> {
  const { head, start } = await headOf(file);
  let at = start.length;
  for (let piece = 0; at < file.size; piece += 1) {
    const lead = Buffer.from(await file.slice(at, at + 20).bytes());
    if (lead.length < 20) throw new SealBroken("cut short");
    const end = at + 20 + lead.readUInt32BE(0);
    if (end > file.size) throw new SealBroken("cut short");
    const body = await file.slice(at + 20, end).bytes();
    yield openPiece(body, {
      key,
      start,
      tag: lead.subarray(4),
      nonce: nonceOf(head, piece, end === file.size),
    });
    at = end;
    progress?.(at, file.size);
  }
  if (at === start.length) throw new SealBroken("cut short");
}

type Piece = { key: Uint8Array; start: Buffer; tag: Buffer; nonce: Buffer };

function openPiece(body: Uint8Array, { key, start, tag, nonce }: Piece): Uint8Array {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, nonce).setAAD(start).setAuthTag(tag);
    return Bun.zstdDecompressSync(Buffer.concat([decipher.update(body), decipher.final()]));
  } catch (error) {
    throw new SealBroken("sealed with another key, or damaged", { cause: error });
  }
}

/** 7 random bytes per file, 4 for the piece's number, 1 that marks the last piece. */
function nonceOf({ nonce }: Pick<Head, "nonce">, piece: number, last: boolean): Buffer {
  const bytes = Buffer.alloc(12);
  Buffer.from(nonce, "base64url").copy(bytes, 0, 0, 7);
  bytes.writeUInt32BE(piece, 7);
  bytes[11] = last ? 1 : 0;
  return bytes;
}
