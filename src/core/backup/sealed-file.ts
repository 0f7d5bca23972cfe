import { Decrypter, Encrypter, Stanza } from "age-encryption";
import { z } from "zod";

/** The type of the stanza in which the header of an age file says whose backup it is; `age` passes over it. */
const stanzaType = "latchkey-backup";
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

/** What is not encrypted. It holds nothing secret, and is not authenticated until the file has been opened. */
const head = z.object({
  made: z.iso.datetime(),
  /** The setting whose key opens it. */
  key: z.enum(["BACKUP_KEY", "SECRET_KEY"]),
  /** The shop it belongs to. */
  shop: shopMark,
  /** Counts a shop's backups, so that their order does not depend on its clock. */
  number: z.int().positive(),
  /** The release that made it. */
  release: z.string(),
});
export type Head = z.infer<typeof head>;

/** The file can't be decrypted: the key is wrong or the file was changed. */
export class SealBroken extends Error {
  override name = "SealBroken";
}

/** Called with the bytes done and the total. */
type Progress = (done: number, total: number) => void;
type SealOptions = { recipient: string; head: Head; progress: Progress };

/** The file compressed by zstd and encrypted by age (https://age-encryption.org/v1), a piece at a time. */
export function sealStream(source: Blob, { recipient, head, progress }: SealOptions) {
  const age = new Encrypter();
  age.addRecipient(recipient);
  const body = Buffer.from(JSON.stringify(head));
  age.addRecipient({ wrapFileKey: () => [new Stanza([stanzaType], body)] });
  return age.encrypt(withProgress(source, progress).pipeThrough(zstd(CompressionStream)));
}

/** Reads what is not encrypted, and not authenticated yet. Throws {@link SealBroken}. */
export async function headOf(file: Blob): Promise<Head> {
  const start = await file.slice(0, mostHeaderBytes).bytes();
  let said: Uint8Array | undefined;
  const age = new Decrypter();
  age.addIdentity({
    unwrapFileKey(stanzas) {
      said = stanzas.find(({ args: [type] }) => type === stanzaType)?.body;
      return null;
    },
  });
  // fails, since no identity was given; only the stanza is wanted
  await age.decryptHeader(start).catch(() => {});
  try {
    return head.parse(JSON.parse(new TextDecoder().decode(said)));
  } catch {
    throw new SealBroken("not a backup made by this shop, or damaged");
  }
}

/** Yields the content, each piece only after authenticating it. Throws {@link SealBroken}, also at the end. */
export async function* openSealed(
  file: Blob,
  identities: string[],
  progress?: Progress,
): AsyncGenerator<Uint8Array> {
  const age = new Decrypter();
  for (const identity of identities) age.addIdentity(identity);
  try {
    const content = await age.decrypt(withProgress(file, progress));
    yield* content.pipeThrough(zstd(DecompressionStream));
  } catch (error) {
    // a failure of the disk
    if (error instanceof Error && "syscall" in error) throw error;
    throw new SealBroken("sealed with another key, or damaged", { cause: error });
  }
}

const zstd = (stream: typeof CompressionStream | typeof DecompressionStream) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the browser's types, which win, don't know Bun's zstd
  new stream("zstd" as string as CompressionFormat) as TransformStream<Uint8Array, Uint8Array>;

function withProgress(source: Blob, progress?: Progress) {
  let done = 0;
  return source.stream().pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        controller.enqueue(piece);
        done += piece.length;
        progress?.(done, source.size);
      },
    }),
  );
}
