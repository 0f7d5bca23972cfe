import { ConfigError } from "./config-error";
import { environmentHere } from "./environment";
import { isMountPoint } from "./on-root";

/**
 * Runs `act`, which reads or writes `path` in a data folder. Errors of the operating system become a {@link ConfigError}
 * that says what to do.
 */
export function inOwnersWords<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const code = codeOf(error);
    if (code === null) throw error;
    throw new ConfigError(`${path} ${faultOf(path, code)}.`);
  }
}

export const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error ? String(error.code) : null;

function faultOf(path: string, code: string): string {
  if (code === "EBUSY" || (/^(EACCES|EPERM|EROFS)$/.test(code) && isMountPoint(path)))
    return "can't be replaced, because it is a mount of its own: mount the folder above it instead, such as DATA_DIR";
  const isForeign = /^(EACCES|EPERM)$/.test(code);
  return isForeign
    ? `can't be used: ${ownerHint("run this as the user who owns its folder")}`
    : `can't be used (${code})`;
}

/** What to do about a file or folder of another user; in a container, where nobody can become that user, on the host. */
export const ownerHint = (
  outside: string,
  owner = process.getuid?.() ?? 1_000,
  { IN_CONTAINER } = environmentHere(),
): string =>
  IN_CONTAINER ? `on the host, run chown -R ${owner} on the folder that is mounted there` : outside;
