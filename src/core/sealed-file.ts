import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { z } from "zod";

/**
 * A file sealed in pieces (AES-256-GCM, in the manner of STREAM, Hoang et al. 2015), so that one of any
 * size passes through little memory. Each piece's nonce holds its number and whether it is the last, so
 * that none can be changed, exchanged, repeated or left away, and the head is part of every piece.
 *
 *     magic line · head as a line of JSON · pieces of [4 bytes length][16 bytes tag][body]
 */
const magic = "latchkey-backup-1";
const pieceBytes = 1024 * 1024;
/** A head longer than this is none. */
const mostHead = 4096;

/** What stands unsealed at the beginning: nothing secret, and nothing to be believed before a piece is open. */
const head = z.object({
  /** When it was made. */
  made: z.iso.datetime(),
  /** Which setting opens it. */
  key: z.enum(["BACKUP_KEY", "SECRET_KEY"]),
  /** First of each piece's nonce: 7 bytes. */
  nonce: z.string().regex(/^[\w-]{10}$/),
});
export type Head = z.infer<typeof head>;

/** The file cannot be opened: another key, or not what was written. */
export class SealBroken extends Error {
  override name = "SealBroken";
}

/** Is told how many bytes of how many have passed. */
type Progress = (done: number, total: number) => void;
type Sealing = { key: Uint8Array; head: Omit<Head, "nonce">; progress?: Progress | undefined };

/** Yields the sealed file of what is read. */
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

/** Reads the head of a sealed file, of which nothing is proven yet. Throws {@link SealBroken}. */
export async function headOf(file: Blob): Promise<{ head: Head; start: Buffer }> {
  const text = Buffer.from(await file.slice(0, mostHead).bytes()).toString("latin1");
  const [first, second] = text.split("\n", 2);
  const start = Buffer.from(`${first}\n${second}\n`, "latin1");
  try {
    if (first !== magic) throw new SealBroken();
    return { head: head.parse(JSON.parse(second ?? "")), start };
  } catch {
    throw new SealBroken("not a backup of this shop's making, or damaged");
  }
}

/** Yields what was sealed, each piece once it is proven to be what was written. Throws {@link SealBroken}. */
export async function* opened(file: Blob, key: Uint8Array, progress?: Progress): AsyncGenerator<Uint8Array> {
  const { head: told, start } = await headOf(file);
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
      nonce: nonceOf(told, piece, end === file.size),
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

/** 7 random bytes of the file, 4 of the piece's number, 1 that says whether it is the last. */
function nonceOf({ nonce }: Pick<Head, "nonce">, piece: number, last: boolean): Buffer {
  const bytes = Buffer.alloc(12);
  Buffer.from(nonce, "base64url").copy(bytes, 0, 0, 7);
  bytes.writeUInt32BE(piece, 7);
  bytes[11] = last ? 1 : 0;
  return bytes;
}
