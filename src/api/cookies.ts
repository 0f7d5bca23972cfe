import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";

const day = 86_400;

/** Cookies by what they are for, and how many seconds a browser keeps them. */
const lifetimes = {
  session: 30 * day,
  /** Tells the browser that bought from any other that has the result page's address. */
  checkout: 30 * day,
  /** Tells a browser that signed in before from a stranger who guesses; browsers keep none longer. */
  known: 400 * day,
  /** Marks the browser that asked for the code of a recovery. */
  recovery: 10 * 60,
} as const;
type Name = keyof typeof lifetimes;

/** `__Host-` binds a cookie to this very origin (RFC 6265bis §4.1.3.2); it needs https. */
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
    maxAge: cookie.value === "" ? 0 : lifetimes[cookie.name],
  });
}
