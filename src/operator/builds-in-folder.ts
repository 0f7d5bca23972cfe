import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Platform } from "@/contract/builds";
import { Refusal } from "@/core/refusal";
import type { NewBuild } from "@/domain/releases/publish";

/** Files that electron-builder and this command line create next to builds. */
const beside = /(\.sig|\.blockmap|\.yml|\.yaml|\.md|\.txt)$|^\./i;

/** The first match decides a file's platform. */
const kinds: [RegExp, Platform][] = [
  [/\brpc\b|rich-?presence/i, "rpc"],
  [/\bfree\b/i, "free"],
  [/\bconsole\b.*\bwin.*\.zip$|\bwin.*\bconsole\b.*\.zip$/i, "console_win_zip"],
  [/\bconsole\b.*\blinux\b.*\.zip$|\blinux\b.*\bconsole\b.*\.zip$/i, "console_linux_zip"],
  [/\.exe$/i, "win_exe"],
  [/\.dmg$/i, "mac_dmg"],
  [/\.appimage$/i, "linux_appimage"],
  [/\.deb$/i, "linux_deb"],
  [/\.rpm$/i, "linux_rpm"],
  [/\b(mac|darwin|osx).*\.zip$/i, "mac_zip"],
  [/\bwin.*\.zip$/i, "win_zip"],
];

/** The platform of a build, from its file name, or null. */
const platformOf = (name: string): Platform | null =>
  kinds.find(([pattern]) => pattern.test(name.replaceAll("_", "-")))?.[1] ?? null;

/** The builds in a folder, with the signatures next to them. Refuses files of an unknown kind. */
export async function buildsIn(folder: string): Promise<(NewBuild & { path: string })[]> {
  const entries = await readdir(resolve(folder), { withFileTypes: true }).catch(() => {
    throw new Refusal("release_invalid", { sentence: `${folder} is not a readable folder` });
  });
  const names = entries.filter((entry) => entry.isFile() && !beside.test(entry.name)).map(({ name }) => name);
  return Promise.all(names.toSorted().map((name) => buildAt(resolve(folder), name)));
}

async function buildAt(folder: string, name: string) {
  const platform = platformOf(name);
  if (!platform) {
    throw new Refusal("release_invalid", { sentence: `${name} is not a known kind of build` });
  }
  const path = join(folder, name);
  const signed = Bun.file(`${path}.sig`);
  const signature = (await signed.exists()) ? Buffer.from(await signed.bytes()) : undefined;
  return { platform, name, path, file: Bun.file(path), ...(signature ? { signature } : {}) };
}
