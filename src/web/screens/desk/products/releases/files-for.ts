import { buildName } from "@/contract/vocabulary/build-names";
import type { Upload } from "@/contract/wire/desk/releases";
import type { FilesByNumber } from "./senders";
import { sha256OfFile } from "./sha256";

/**
 * Finds among chosen files those of which an upload lacks parts, by name, size and SHA-256.
 * @throws {Error} the sentence says which is missing or differs
 */
export async function filesFor(
  upload: Upload,
  chosen: readonly File[],
  onBytes: (done: number) => void,
): Promise<FilesByNumber> {
  const found = new Map<number, File>();
  let before = 0;
  for (const wanted of upload.files.filter(({ missing }) => missing.length > 0)) {
    const file = chosen.find(({ name, size }) => buildName(name) === wanted.name && size === wanted.size);
    if (!file) throw new Error(lackingSentence(wanted, chosen));
    const sha256 = await digestOf(file, (done) => onBytes(before + done));
    if (sha256 !== wanted.sha256)
      throw new Error(`${wanted.name} differs in content from the file this upload began with`);
    before += file.size;
    found.set(wanted.file, file);
  }
  return found;
}

const lackingSentence = ({ name }: { name: string }, chosen: readonly File[]) =>
  chosen.some((file) => buildName(file.name) === name)
    ? `${name} differs in size from the file this upload began with`
    : `Choose ${name} too: parts of it are missing`;

async function digestOf(file: File, onBytes: (done: number) => void): Promise<string> {
  try {
    return await sha256OfFile(file, onBytes, new AbortController().signal);
  } catch (cause) {
    throw new Error(`${file.name} can't be read`, { cause });
  }
}
