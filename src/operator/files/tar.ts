import { gunzipSync } from "node:zlib";
import { oneLine } from "@/contract/vocabulary/plain-words";
import { ConfigError } from "@/core/settings/config";

const block = 512;
const mostFiles = 500;

/**
 * The files in a tar, by their paths; packed with gzip or not. Throws {@link ConfigError} for links and devices, for paths
 * that lead out of a folder, and for more than `most` bytes.
 */
export function filesInTar(packed: Uint8Array, most: number): Map<string, Uint8Array> {
  const tar = packed[0] === 0x1f && packed[1] === 0x8b ? unpacked(packed, most) : packed;
  const files = new Map<string, Uint8Array>();
  let longName: string | null = null;
  for (let at = 0; ;) {
    const head = tar.subarray(at, at + block);
    // POSIX ends an archive in two blocks of zeros
    if (head.length < block) throw new ConfigError("The tar is cut off.");
    if (head.every((byte) => byte === 0)) break;
    expectSum(head);
    const [name, size, kind] = [nameIn(head), numberIn(head, 124, 12), String.fromCharCode(head[156] ?? 0)];
    const content = tar.subarray(at + block, at + block + size);
    if (content.length < size) throw new ConfigError("The tar is cut off.");
    at += block + Math.ceil(size / block) * block;
    if (files.size > mostFiles) throw new ConfigError(`It has more than ${mostFiles} files.`);
    if (kind === "x" || kind === "L") longName = longNameIn(kind, content) ?? longName;
    else if (kind !== "g") {
      const path = safePath(longName ?? name);
      longName = null;
      if (kind === "0" || kind === "\0") files.set(path, content);
      else if (kind !== "5") throw new ConfigError(`${path} is no file or folder, but a link or a device.`);
    }
  }
  files.delete("");
  return files;
}

function unpacked(packed: Uint8Array, most: number): Uint8Array {
  try {
    return gunzipSync(packed, { maxOutputLength: most });
  } catch (error) {
    const isLarge = error instanceof RangeError;
    throw new ConfigError(
      isLarge ? "It is too large once it is unpacked." : "It is damaged, so it can't be unpacked.",
    );
  }
}

const textIn = (bytes: Uint8Array, at: number, length: number): string => {
  const field = bytes.subarray(at, at + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end === -1 ? field : field.subarray(0, end));
};

const numberIn = (head: Uint8Array, at: number, length: number): number => {
  const typed = textIn(head, at, length).trim();
  if (!/^[0-7]+$/.test(typed)) throw new ConfigError("It is no tar.");
  return Number.parseInt(typed, 8);
};

function nameIn(head: Uint8Array): string {
  const isPosix = textIn(head, 257, 6) === "ustar";
  const before = isPosix ? textIn(head, 345, 155) : "";
  return before === "" ? textIn(head, 0, 100) : `${before}/${textIn(head, 0, 100)}`;
}

/** The sum counts its own field as blanks. */
function expectSum(head: Uint8Array): void {
  const sum = head.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (numberIn(head, 148, 8) !== sum) throw new ConfigError("It is no tar.");
}

/** The name of the next file, from GNU's entry or from a line such as `25 path=pictures/home\n`. */
function longNameIn(kind: string, content: Uint8Array): string | undefined {
  if (kind === "L") return textIn(content, 0, content.length);
  return /^\d+ path=(.*)$/m.exec(new TextDecoder().decode(content))?.[1];
}

/** Without `./` and a slash at the end; empty for the folder itself. */
function safePath(name: string): string {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  if (name.startsWith("/") || /[\\\0:]/.test(name) || parts.includes(".."))
    throw new ConfigError(`The path ${oneLine(name)} leads out of the folder.`);
  if (/\p{Cc}/u.test(name)) throw new ConfigError(`The path ${oneLine(name)} has control characters.`);
  return parts.join("/");
}
