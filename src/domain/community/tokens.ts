import type { Ctx } from "@/core/context";

/** What Discord gives for an authorization code. */
export type Tokens = { access: string; refresh: string | null; scopes: string[] };

/** Binds sealed tokens to their row: copied to another row they don't open. */
type SealedIn = `link:${string}` | `attempt:${string}` | `revocation:${string}`;

export const sealTokens = (ctx: Ctx, tokens: Tokens, row: SealedIn): string =>
  ctx.secrets.seal(JSON.stringify(tokens), `discord-tokens:${row}`);

export const openTokens = (ctx: Ctx, sealed: string, row: SealedIn): Tokens =>
  // only `sealTokens` seals under this purpose
  JSON.parse(ctx.secrets.open(sealed, `discord-tokens:${row}`)) as Tokens;
