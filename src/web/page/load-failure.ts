import { stored } from "./stored";

/** Why a script failed to load: the shop can't be reached, or only this file is missing. */
export type LoadFailure = "offline" | "lost";

/**
 * Finds out why a script of this page did not arrive. A deploy removes the files of open pages: then this reloads the
 * page, once for each build, and never resolves.
 */
export async function loadFailureOf(): Promise<LoadFailure> {
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

/** At most once for each build, so that two servers with different builds can't make a page reload forever. */
function mayReload(entry: string): boolean {
  const before = reloaded.recall() ?? "";
  reloaded.remember(`${before} ${entry}`);
  // also false where storage is disabled
  return !before.includes(entry) && (reloaded.recall() ?? "").includes(entry);
}
