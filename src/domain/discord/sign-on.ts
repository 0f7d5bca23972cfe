import type { Tokens } from "./tokens";

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

/** Discord rejects the code or token. */
export class CodeRefused extends Error {
  override name = "CodeRefused";
}

/** Discord could not be reached, or is failing. */
export class SignOnUnreachable extends Error {
  override name = "SignOnUnreachable";
}
