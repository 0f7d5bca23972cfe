import { timingSafeEqual } from "node:crypto";
import type { Ctx } from "@/core/context";
import { randomToken } from "@/core/secrets";

/**
 * What a browser that signed in before shows of itself, or null. Strangers who guess at an account
 * use up the guesses of strangers; its owner's own browser is counted apart and stays welcome
 * (OWASP's "device cookies"). It proves nothing else, and lasts as long as the browser keeps it.
 */
export function knownBrowser(ctx: Ctx, accountId: string, cookie: string | undefined): string | null {
  const [name = "", proof = ""] = cookie?.split(".") ?? [];
  if (name === "") return null;
  const [right, given] = [Buffer.from(proofOf(ctx, accountId, name)), Buffer.from(proof)];
  return right.length === given.length && timingSafeEqual(right, given) ? name : null;
}

/** The cookie for a browser that has just signed in; the one that it has where that still fits. */
export function browserCookie(ctx: Ctx, accountId: string, cookie: string | undefined): string {
  if (cookie && knownBrowser(ctx, accountId, cookie)) return cookie;
  const name = randomToken();
  return `${name}.${proofOf(ctx, accountId, name)}`;
}

const proofOf = (ctx: Ctx, accountId: string, name: string) =>
  ctx.secrets.fingerprint("known-browser", `${accountId}:${name}`);
