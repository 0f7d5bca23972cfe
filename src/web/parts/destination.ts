import type { Location } from "react-router";

/** Sent along to the sign-in screens, in the history entry: no link from elsewhere can write there. */
export const comingFrom = ({ pathname, search, hash }: Location) => ({ from: pathname + search + hash });

/** Where somebody who has signed in was going: a page of the dashboard, by default its home. */
export function destinationOf(state: unknown): string {
  const from: unknown = typeof state === "object" && state !== null ? Reflect.get(state, "from") : null;
  const url =
    typeof from === "string" && URL.canParse(from, location.origin) && new URL(from, location.origin);
  if (!url || url.origin !== location.origin || !/^\/dashboard(?:\/|$)/.test(url.pathname))
    return "/dashboard";
  return url.pathname + url.search + url.hash;
}
