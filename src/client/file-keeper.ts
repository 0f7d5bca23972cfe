/** Keeps the data of client.ts in a file. Copy it next to client.ts. */
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Keeper } from "./client";

/** Only this user can read the file, and several instances of the application may share it. */
export const fileKeeper = (path: string): Keeper => ({
  read: async () => {
    try {
      return await retried(() => readFile(path, "utf8"));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
      throw error;
    }
  },
  write: async (text) => {
    await mkdir(dirname(path), { recursive: true });
    // a name of its own, or two instances would write into one file
    const own = `${path}.${process.pid}.${randomUUID()}`;
    try {
      await writeFile(own, text, { mode: 0o600 });
      await retried(() => rename(own, path));
    } catch (error) {
      await rm(own, { force: true });
      throw error;
    }
  },
});

/** Tries again for a moment: on Windows a file can't be used while another instance replaces it. */
async function retried<T>(act: () => Promise<T>): Promise<T> {
  for (let left = 5; ; left -= 1) {
    try {
      return await act();
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
