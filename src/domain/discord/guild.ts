import type { JoinObstacle } from "../schema/discord";
import type { RoleAction } from "./roles";

/** One member of the server, with every role that they have. */
export type GuildMember = { userId: string; roleIds: string[] };

/** Why customers can't have a role. `stops`: what the bot doesn't do with it meanwhile. */
export type RoleFault = {
  code: "role_everyone" | "role_managed" | "role_too_high" | "role_of_staff" | "role_powerful";
  sentence: string;
  stops: readonly RoleAction[];
};

export type GuildRole = { id: string; name: string; fault: RoleFault | null };

/**
 * The Discord server, as the domain needs it. Calls throw {@link GuildUnavailable} when a later retry may succeed,
 * and {@link GuildForbids} when a person has to change something first.
 */
export type Guild = {
  /** The role of the settings, which the first level gives. */
  firstRoleId: string;
  /** Whether the bot does this with a role: not while it has a fault that staff were told of. */
  may(action: RoleAction, roleId: string): boolean;
  /** The server's roles. */
  roles(): Promise<GuildRole[]>;
  /** Null when the user is not a member. */
  member(userId: string): Promise<GuildMember | null>;
  /** Adds the user to the server with their own token (`guilds.join`); null on success. */
  join(userId: string, accessToken: string): Promise<JoinObstacle | null>;
  /** Gives a role; false when the user is not a member. `why` goes into the server's audit log. */
  grant(userId: string, roleId: string, why: string): Promise<boolean>;
  /** Takes a role; false when the user is not a member. */
  take(userId: string, roleId: string, why: string): Promise<boolean>;
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
