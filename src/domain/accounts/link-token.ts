import type { Ctx } from "@/core/context";
import { sameSecret } from "@/core/secrets";

/** What a mailed link does; `confirm` concerns an account's email address. */
type LinkKind = "confirm" | "recover" | "unsubscribe" | "invite";

/** The token in a mailed link. It is derived from its row's id, so it is not stored. */
export const linkToken = (ctx: Ctx, kind: LinkKind, id: string) =>
  `${id}.${ctx.secrets.fingerprint("mailed-link", textOf(kind, id))}`;

/** The row's id in a token; null if this shop did not make the token. */
export function rowOfToken(ctx: Ctx, kind: LinkKind, token: string): string | null {
  const id = token.split(".")[0] ?? "";
  const right = ctx.secrets.fingerprints("mailed-link", textOf(kind, id)).map((proof) => `${id}.${proof}`);
  return right.some((one) => sameSecret(token, one)) ? id : null;
}

const textOf = (kind: LinkKind, id: string) => `${kind}:${id}`;

/** The URL of a mailed link. The token goes into the fragment, which never reaches a server, proxy or log. */
export const linkUrl = (publicUrl: URL, path: string, token: string): string =>
  new URL(`${path}#${token}`, publicUrl).href;
