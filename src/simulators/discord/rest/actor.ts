import type { Context } from "hono";
import { refusals } from "../errors";
import type { OAuthGrant } from "../rows";
import type { World } from "../world";

/** The bot's id; refuses a wrong token. */
export function botOf(world: World, c: Context): string {
  if (c.req.header("authorization") !== `Bot ${world.secrets.botToken}`) throw refusals.unauthorized();
  return world.known.botId;
}

/** The grant of the access token in the header. */
export function grantOf(world: World, c: Context): OAuthGrant {
  const [, token = ""] = /^Bearer (.+)$/.exec(c.req.header("authorization") ?? "") ?? [];
  const grant = liveGrant(world, token);
  if (!grant) throw refusals.unauthorized();
  return grant;
}

export function liveGrant(world: World, token: string): OAuthGrant | undefined {
  const grant = world.store.grants.get(token);
  return grant && !grant.revoked && grant.expires > world.now() ? grant : undefined;
}

export function mustBeGuild(world: World, id: string | undefined) {
  if (id !== world.known.guildId) throw refusals.unknownGuild();
}
