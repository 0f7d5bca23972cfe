import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { day, inSeconds, minute } from "@/contract/time";

/** Each cookie, and how long a browser keeps it. */
const lifetimes = {
  session: 30 * day,
  /** Tells the buyer's browser from any other that has a result page's address; one mark for each checkout. */
  checkout: 30 * day,
  /** Tells a browser that signed in before from a stranger guessing passwords. 400 days is the most browsers allow. */
  known: 400 * day,
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
    sameSite: "Lax",
    secure: https,
    maxAge: cookie.value === "" ? 0 : inSeconds(lifetimes[cookie.name]),
  });
}
