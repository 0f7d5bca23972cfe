import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { day, hour, inSeconds, minute } from "@/contract/vocabulary/time";

/** Each cookie's lifetime in milliseconds. */
const lifetimes = {
  session: 30 * day,
  /** Marks the buyer's browser, since others may have the result page's URL; one mark for each checkout. */
  checkout: 30 * day,
  /**
   * Distinguishes a browser that signed in before from a stranger guessing passwords. Browsers allow at most 400 days.
   */
  known: 400 * day,
  /** Opens the desk to staff; the server ends it sooner. */
  desk: 12 * hour,
  /** Marks the browser that asked for a recovery code. */
  recovery: 10 * minute,
} as const;
type Name = keyof typeof lifetimes;

/** `__Host-` binds a cookie to exactly this origin (RFC 6265bis §4.1.3.2); it needs https. */
export const cookieName = (name: Name, publicUrl: URL) =>
  publicUrl.protocol === "https:" ? `__Host-${name}` : name;

export const readCookie = (c: Context, name: Name, publicUrl: URL): string | undefined =>
  getCookie(c, cookieName(name, publicUrl));

/** Sets a cookie, or clears it when the value is empty. */
export function writeCookie(c: Context, cookie: { name: Name; value: string; publicUrl: URL }): void {
  const https = cookie.publicUrl.protocol === "https:";
  setCookie(c, cookieName(cookie.name, cookie.publicUrl), cookie.value, {
    path: "/",
    httpOnly: true,
    // no link from elsewhere opens the desk
    sameSite: cookie.name === "desk" ? "Strict" : "Lax",
    secure: https,
    maxAge: cookie.value === "" ? 0 : inSeconds(lifetimes[cookie.name]),
  });
}
