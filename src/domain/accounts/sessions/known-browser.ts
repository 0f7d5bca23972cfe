import type { Ctx } from "@/core/database/context";
import { randomToken, sameSecret } from "@/core/secrets/secrets";

/**
 * Identifies a browser that signed in to this account before (OWASP's "device cookies"); null for any other. Its
 * attempts are counted apart from strangers', so guessing can't lock the owner out. It proves nothing else.
 */
export function knownBrowser(ctx: Ctx, accountId: string, cookie: string | undefined): string | null {
  const [name = "", proof = ""] = cookie?.split(".") ?? [];
  return name !== "" && sameSecret(proofOf(ctx, accountId, name), proof) ? name : null;
}

/** The cookie for a browser that has just signed in: its present cookie, if that is still valid. */
export function browserCookie(ctx: Ctx, accountId: string, cookie: string | undefined): string {
  if (cookie && knownBrowser(ctx, accountId, cookie)) return cookie;
  const name = randomToken();
  return `${name}.${proofOf(ctx, accountId, name)}`;
}

const proofOf = (ctx: Ctx, accountId: string, name: string) =>
  ctx.secrets.fingerprint("known-browser", `${accountId}:${name}`);
