import { type Ctx, newId } from "@/core/database/context";
import type { Write } from "@/core/database/commit";
import type { Handler } from "@/core/jobs/job-handlers";
import { enqueue } from "@/core/jobs/outbox";
import { shopTopics } from "../outbox-topics";

export type DiscordUser = { id: string; displayName: string };

/**
 * Discord's OAuth, as the domain needs it. Every call but `authorizeUrl` may throw
 * {@link SignOnUnreachable}.
 */
export type SignOn = {
  /** The URL to send the browser to. Discord returns the same `state` with the code. */
  authorizeUrl(asked: { state: string; challenge: string }): string;
  /** Throws {@link CodeRefused} when Discord rejects the code. */
  exchange(code: string, verifier: string): Promise<Tokens>;
  /** Throws {@link CodeRefused} when the token is no longer valid. */
  fetchUser(tokens: Tokens): Promise<DiscordUser>;
  /** Revokes both tokens; ignores tokens already revoked. */
  revoke(tokens: Tokens): Promise<void>;
};

/** Where Discord sends the browser back to; the application at Discord must list it. */
export const discordCallback = (publicUrl: URL | string): string =>
  new URL("/dashboard/discord-callback", publicUrl).href;

/** Discord rejects the code or token. */
export class CodeRefused extends Error {
  override name = "CodeRefused";
}

/** Discord could not be reached, or is failing. */
export class SignOnUnreachable extends Error {
  override name = "SignOnUnreachable";
}

/** Discord's answer to an authorization code. */
export type Tokens = { access: string; refresh: string | null; scopes: string[] };

type SealedIn = `link:${string}` | `attempt:${string}` | `revocation:${string}`;

/** Binds sealed tokens to their row: no other row can open them. */
export const tokensContext = (row: SealedIn) => `discord-tokens:${row}`;

export const sealTokens = (ctx: Ctx, tokens: Tokens, row: SealedIn): string =>
  ctx.secrets.seal(JSON.stringify(tokens), tokensContext(row));

export const unsealTokens = (ctx: Ctx, sealed: string, row: SealedIn): Tokens =>
  // only `sealTokens` seals under this purpose
  JSON.parse(ctx.secrets.open(sealed, tokensContext(row))) as Tokens;

/** Revokes tokens at Discord; part of the commit that deletes them. */
export function revocation(ctx: Ctx, tokens: Tokens): Write {
  const subject = newId();
  const sealed = sealTokens(ctx, tokens, `revocation:${subject}`);
  return enqueue(ctx, { topic: shopTopics.revokeTokens, subject, payload: { sealed } });
}

/** The outbox handler that revokes tokens. */
export const revokeTokens =
  (ctx: Ctx, signOn: SignOn): Handler<typeof shopTopics.revokeTokens> =>
  async ({ subject, payload }) => {
    await signOn.revoke(unsealTokens(ctx, payload.sealed, `revocation:${subject}`));
    return [];
  };
