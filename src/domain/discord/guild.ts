import type { JoinObstacle } from "../schema/discord";

/** One member of the server, as far as the premium role goes. */
export type GuildMember = { userId: string; holdsRole: boolean };

/**
 * The Discord server, as the domain needs it. Calls throw {@link GuildUnavailable} when a later retry may succeed,
 * and {@link GuildForbids} when a person has to change something first.
 */
export type Guild = {
  /** Null when the user is not a member. */
  member(userId: string): Promise<GuildMember | null>;
  /** Adds the user to the server with their own token (`guilds.join`); null on success. */
  join(userId: string, accessToken: string): Promise<JoinObstacle | null>;
  /** Gives the premium role; false when the user is not a member. `why` goes into the server's audit log. */
  grant(userId: string, why: string): Promise<boolean>;
  /** Takes the premium role; false when the user is not a member. */
  take(userId: string, why: string): Promise<boolean>;
  /** All members, a page at a time; throws {@link MembersHidden} where the bot may not list them. */
  members(): AsyncIterable<GuildMember[]>;
};

/** Discord lets a bot list members only with the members intent switched on. */
export class MembersHidden extends Error {
  override name = "MembersHidden";
}

/** Discord is unreachable, busy or failing. */
export class GuildUnavailable extends Error {
  override name = "GuildUnavailable";
}

/** Discord refuses and will refuse again: a permission is missing, the role is too high or gone. */
export class GuildForbids extends Error {
  override name = "GuildForbids";
  constructor(readonly code: string) {
    super(code);
  }
}
