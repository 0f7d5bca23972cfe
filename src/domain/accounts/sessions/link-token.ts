import type { Ctx } from "@/core/database/context";
import { sameSecret } from "@/core/secrets/secrets";

/** What a mailed link does; `confirm` concerns an account's email address, and `key` a licence key in the same mail. */
type LinkKind = "confirm" | "recover" | "unsubscribe" | "invite" | "key";

/**
 * The token in a mailed link. It is derived from its row's id, so it is not stored. It also depends on `bound`: once
 * that changes, the token is invalid.
 */
export const linkToken = (ctx: Ctx, kind: LinkKind, id: string, ...bound: string[]) =>
  `${id}.${ctx.secrets.fingerprint("mailed-link", textOf(kind, id, bound))}`;

/** The row's id in a token; null if this shop did not make the token. */
export function rowOfToken(ctx: Ctx, kind: LinkKind, token: string, ...bound: string[]): string | null {
  const id = unverifiedRowId(token);
  const right = ctx.secrets
    .fingerprints("mailed-link", textOf(kind, id, bound))
    .map((proof) => `${id}.${proof}`);
  return right.some((one) => sameSecret(token, one)) ? id : null;
}

/** The row's id in a token that anybody may have made. */
export const unverifiedRowId = (token: string): string => token.split(".")[0] ?? "";

const textOf = (kind: LinkKind, id: string, bound: string[]) => [kind, id, ...bound].join(":");

/** The URL of a mailed link. The token goes into the fragment, which never reaches a server, proxy or log. */
export const linkUrl = (publicUrl: URL, path: string, token: string): string =>
  new URL(`${path}#${token}`, publicUrl).href;
