import type { Context } from "hono";
import { tokenHash } from "@/core/secrets/secrets";
import { readCookie } from "./cookies";

/** How many checkouts a browser may have open, each in its own tab. */
export const maxOpenCheckouts = 10;

/**
 * The marks of the checkouts that this browser began, newest first. The server makes each checkout a new mark, so a
 * mark that an attacker planted in the browser opens no later order.
 */
export const checkoutMarks = (c: Context, publicUrl: URL): string[] =>
  (readCookie(c, "checkout", publicUrl) ?? "")
    .split(".")
    .filter((mark) => /^[\w-]{43}$/.test(mark))
    .slice(0, maxOpenCheckouts);

/** The same as payments store them. */
export const browserHashesOf = (c: Context, publicUrl: URL): string[] =>
  checkoutMarks(c, publicUrl).map(tokenHash);
