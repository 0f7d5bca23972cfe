import type { Context } from "hono";
import { refusals } from "../errors";
import type { By } from "../guild/members";
import type { OAuthGrant } from "../store/rows";
import type { World } from "../world";

/** The bot, as whom it calls. A wrong or missing token is 401; a person's token is not enough. */
export function botOf(world: World, c: Context): By {
  const header = c.req.header("authorization") ?? "";
  if (header !== `Bot ${world.secrets.botToken}`) throw refusals.unauthorized();
  const reason = c.req.header("x-audit-log-reason");
  return { actor: world.known.botId, reason: reason === undefined ? null : decode(reason) };
}

/** What a person granted to the application, by the access token in the header. */
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

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
