import { headOf, SealBroken } from "@/core/backup/sealed-file";
import { inOrder, type KeptBackup, madeAt } from "@/domain/backups/place";

type Listed = { name: string; bytes: number };
type Stored = {
  open: (name: string) => Blob;
  /** Whether reading failed because the file is gone. */
  isGone: (error: unknown) => boolean;
};

const mostAtOnce = 16;

/**
 * Reads the headers of listed backups, each once, since a file never changes under its name. Leaves out backups that
 * another process removes meanwhile.
 */
export function backupReader({ open, isGone }: Stored) {
  const known = new Map<string, KeptBackup>();
  const read = async ({ name, bytes }: Listed): Promise<KeptBackup | null> => {
    const made = madeAt(name);
    if (made === null) return null;
    const before = known.get(name);
    if (before?.bytes === bytes) return before;
    const unread = { name, bytes, made, shop: null, number: null };
    // a bucket refuses to read part of an empty object
    if (bytes === 0) return unread;
    try {
      const { made: at, shop, number } = await headOf(open(name));
      const found = { name, bytes, made: new Date(at), shop, number };
      known.set(name, found);
      return found;
    } catch (error) {
      if (error instanceof SealBroken) return unread;
      if (isGone(error)) return null;
      throw error;
    }
  };
  return async (listed: Listed[]): Promise<KeptBackup[]> => {
    const found: (KeptBackup | null)[] = [];
    for (let at = 0; at < listed.length; at += mostAtOnce) {
      found.push(...(await Promise.all(listed.slice(at, at + mostAtOnce).map(read))));
    }
    return inOrder(found.filter((one) => one !== null));
  };
}
