import type { Ctx } from "@/core/context";

/** What Discord gave for a code. */
export type Tokens = { access: string; refresh: string | null; scopes: string[] };

/** Binds sealed tokens to their place: moved to another row they don't open. */
type Place = `link:${string}` | `attempt:${string}` | `revocation:${string}`;

export const sealTokens = (ctx: Ctx, tokens: Tokens, place: Place): string =>
  ctx.secrets.seal(JSON.stringify(tokens), `discord-tokens:${place}`);

export const openTokens = (ctx: Ctx, sealed: string, place: Place): Tokens =>
  // sealed by the function above and by nobody else
  JSON.parse(ctx.secrets.open(sealed, `discord-tokens:${place}`)) as Tokens;
