import type { Ctx } from "@/core/database/context";

/** Discord's answer to an authorization code. */
export type Tokens = { access: string; refresh: string | null; scopes: string[] };

type SealedIn = `link:${string}` | `attempt:${string}` | `revocation:${string}`;

/** Binds sealed tokens to their row: no other row can open them. */
export const tokensContext = (row: SealedIn) => `discord-tokens:${row}`;

export const sealTokens = (ctx: Ctx, tokens: Tokens, row: SealedIn): string =>
  ctx.secrets.seal(JSON.stringify(tokens), tokensContext(row));

export const openTokens = (ctx: Ctx, sealed: string, row: SealedIn): Tokens =>
  // only `sealTokens` seals under this purpose
  JSON.parse(ctx.secrets.open(sealed, tokensContext(row))) as Tokens;
