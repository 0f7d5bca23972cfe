import type { Tokens } from "./tokens";

/** A Discord user, as they show themselves. */
export type DiscordUser = { id: string; displayName: string };

/**
 * Discord's OAuth, as the domain needs it. Every call but `authorizeUrl` may throw
 * {@link SignOnUnreachable}.
 */
export type SignOn = {
  /** Where to send the browser; the same values must come back with the code. */
  authorizeUrl(asked: { state: string; challenge: string }): string;
  /** Throws {@link CodeRefused} when Discord does not take the code. */
  exchange(code: string, verifier: string): Promise<Tokens>;
  /** Throws {@link CodeRefused} when the token is no longer good. */
  fetchUser(tokens: Tokens): Promise<DiscordUser>;
  /** Ends both tokens; one that has ended already is fine. */
  revoke(tokens: Tokens): Promise<void>;
};

/** Discord does not accept what the browser brought back. */
export class CodeRefused extends Error {
  override name = "CodeRefused";
}

/** Discord could not be reached, or is failing. */
export class SignOnUnreachable extends Error {
  override name = "SignOnUnreachable";
}
