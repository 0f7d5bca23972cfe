import { Refusal, refusalIn } from "../base/refusal";

const sentences: Record<string, string> = {
  ENOENT: "it can't be created there",
  ENOSPC: "its disk is full",
  EDQUOT: "its disk is full",
  EIO: "its disk fails",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "it is read-only",
  ENOTDIR: "it is not a folder",
};

/** Errors of the disk itself, as opposed to a mistyped path. */
export const diskCodes = /^(ENOSPC|EDQUOT|EIO|EROFS)$/;

/**
 * Runs `act` in a folder, and turns the operating system's errors with these `codes` into a refusal that names the
 * folder; other codes may be about other files.
 */
export async function inFolder<T>(folder: string, act: () => Promise<T>, codes = /^E[A-Z]+$/): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (refusalIn(cause) || !codes.test(code)) throw cause;
    const why = sentences[code] ?? code;
    throw new Refusal("unavailable", { sentence: `The folder ${folder} can't be used: ${why}.` }, { cause });
  }
}

/** A sentence if the disk is at fault; null for any other error. */
export function diskFault(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code = "code" in error ? String(error.code) : "";
  if (!diskCodes.test(code)) return error.cause ? diskFault(error.cause) : null;
  const what = "path" in error && typeof error.path === "string" ? error.path : "A file";
  return `${what} can't be written: ${sentences[code]}.`;
}
