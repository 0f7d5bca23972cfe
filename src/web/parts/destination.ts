import type { Location } from "react-router";

/** Passed to the sign-in screens in the history entry, which links from other sites can't set. */
export const comingFrom = ({ pathname, search, hash }: Location) => ({ from: pathname + search + hash });

/** The dashboard page that a visitor wanted before signing in; its home by default. */
export function destinationOf(state: unknown): string {
  const from: unknown = typeof state === "object" && state !== null ? Reflect.get(state, "from") : null;
  const url =
    typeof from === "string" && URL.canParse(from, location.origin) && new URL(from, location.origin);
  if (!url || url.origin !== location.origin || !/^\/dashboard(?:\/|$)/.test(url.pathname))
    return "/dashboard";
  return url.pathname + url.search + url.hash;
}
