import type { Location } from "react-router";

/** Passed to the sign-in screens in the history entry, which links from other sites can't set. */
export const returnState = ({ pathname, search, hash }: Location) => ({ from: pathname + search + hash });

/** A text in the state of a history entry; empty if there is none. */
export function textIn(state: unknown, name: string): string {
  const value: unknown = typeof state === "object" && state !== null ? Reflect.get(state, name) : "";
  return typeof value === "string" ? value : "";
}

/** The page for accounts that a visitor wanted before signing in; the dashboard's home by default. */
export function destinationOf(state: unknown): string {
  const from = textIn(state, "from");
  const url = from !== "" && URL.canParse(from, location.origin) && new URL(from, location.origin);
  if (!url || url.origin !== location.origin || !/^\/(?:dashboard|desk|device)(?:\/|$)/.test(url.pathname))
    return "/dashboard";
  return url.pathname + url.search + url.hash;
}
