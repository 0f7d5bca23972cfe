import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Whether a folder, which need not exist yet, is in the root file system rather than on a mount: deleting a container
 * deletes the former. False where the mounts can't be read.
 */
export function isOnRoot(folder: string, mounts: readonly string[] = mountPoints()): boolean {
  if (mounts.length === 0) return false;
  for (let at = real(folder); at !== dirname(at); at = dirname(at)) if (mounts.includes(at)) return false;
  return true;
}

/** Whether a file or folder is a mount of its own, which nothing can be put in the place of. */
export const isMountPoint = (path: string): boolean => mountPoints().includes(real(path));

/** Resolves links as far as the path exists. */
const real = (path: string): string =>
  existsSync(path) ? realpathSync(path) : join(real(dirname(path)), basename(path));

/** The fifth field of each line; spaces and the like are octal there: https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html */
function mountPoints(): string[] {
  const file = "/proc/self/mountinfo";
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => line.split(" ")[4] ?? [])
    .map((path) => path.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8))));
}
