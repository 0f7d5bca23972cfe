import { type ComponentType, lazy } from "react";

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** A screen, or a part of one, whose code is fetched when it is first shown, or earlier by `load`. */
export type LateScreen<Props = object> = ComponentType<Props> & { load: Load<Props> };

/** Makes a late screen of a named export: `late(async () => (await import("./login")).Login)`. */
export function late<Props = object>(bring: () => Promise<ComponentType<Props>>): LateScreen<Props> {
  const load: Load<Props> = () => bring().then((component) => ({ default: component }), reloadOnce);
  return Object.assign(lazy(load), { load });
}

const lastReload = "reloaded-for-chunk-at";

/** A missing chunk usually means a newer build: reload the page, at most once in ten seconds. */
function reloadOnce(error: unknown): Promise<never> {
  if (typeof window === "undefined") throw error;
  const last = Number(sessionStorage.getItem(lastReload));
  if (Date.now() - last < 10_000) throw error;
  sessionStorage.setItem(lastReload, String(Date.now()));
  location.reload();
  return new Promise(() => {});
}
