import { chmod, mkdir } from "node:fs/promises";
import { ConfigError } from "./config";
import { databaseTrouble } from "./database-trouble";

/** Makes the data private to this user, also where an earlier version did not. Throws {@link ConfigError}. */
export const privateFolder = (folder: string): Promise<void> =>
  usingFolder(folder, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // another user's folder can't be changed, and is theirs to protect
    await chmod(folder, 0o700).catch(() => {});
  });

/** Says in one sentence ({@link ConfigError}, with its cause) why the folder can't be used, if it can't. */
export async function usingFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const trouble = databaseTrouble(error);
    if (!trouble) throw error;
    throw new ConfigError(`The data folder ${folder} can't be used (${trouble.sentence}).`, { cause: error });
  }
}
