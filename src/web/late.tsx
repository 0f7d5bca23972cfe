import { type ComponentType, lazy } from "react";

type Load = () => Promise<{ default: ComponentType }>;

/** A screen whose code arrives when it is first shown, or earlier by `load`. */
export type LateScreen = ComponentType & { load: Load };

/** Makes a late screen of a named export: `late(async () => (await import("./login")).Login)`. */
export function late(bring: () => Promise<ComponentType>): LateScreen {
  const load: Load = () => bring().then((component) => ({ default: component }), reloadOnce);
  return Object.assign(lazy(load), { load });
}

const lastReload = "reloaded-for-chunk-at";

/** A chunk that is gone mostly means that a newer build is out: load the page anew, once in ten seconds. */
function reloadOnce(error: unknown): Promise<never> {
  if (typeof window === "undefined") throw error;
  const last = Number(sessionStorage.getItem(lastReload));
  if (Date.now() - last < 10_000) throw error;
  sessionStorage.setItem(lastReload, String(Date.now()));
  location.reload();
  return new Promise(() => {});
}
