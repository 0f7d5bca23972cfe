import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";

/** Where all tested shops share the built site, so that it is built once. */
export const sharedSite = join(import.meta.dir, "../../../.cache/site");

/** Prepares a new shop's data so that it uses the shared build. */
export async function shareSite(dataDir: string): Promise<void> {
  await mkdir(sharedSite, { recursive: true });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await symlink(sharedSite, join(dataDir, "site"));
}
