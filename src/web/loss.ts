import { stored } from "./stored";

/** Why a script did not arrive: the shop can't be reached, or only this file. */
export type Loss = "offline" | "lost";

/**
 * Finds out why a script of this page did not arrive. After a deploy the files of an open page are gone: then the page
 * is reloaded, which happens once for each build, and the promise never resolves.
 */
export async function lossOf(): Promise<Loss> {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src;
  if (!entry) return "lost";
  const status = await statusOf(entry);
  if (status === 404 && mayReload(entry)) {
    location.reload();
    return new Promise(() => {});
  }
  return status === undefined ? "offline" : "lost";
}

async function statusOf(url: string): Promise<number | undefined> {
  try {
    const signal = AbortSignal.timeout(5_000);
    return (await fetch(url, { method: "HEAD", cache: "no-store", signal })).status;
  } catch {
    return undefined;
  }
}

const reloaded = stored("reloaded-for");

/** Once for each build: two servers with different builds must not send a page back and forth. */
function mayReload(entry: string): boolean {
  const before = reloaded.recall() ?? "";
  reloaded.remember(`${before} ${entry}`);
  // False as well where nothing can be remembered.
  return !before.includes(entry) && (reloaded.recall() ?? "").includes(entry);
}
