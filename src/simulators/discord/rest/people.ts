import type { Hono } from "hono";
import { z } from "zod";
import { refusals } from "../errors";
import { applicationFlags, gatewayUrl } from "../gateway/greeting";
import { sessionBudget } from "../gateway/identify";
import { directChannel } from "../guild/channels";
import { channelJson } from "../wire/channels";
import { userJson, userOf } from "../wire/people";
import type { World } from "../world";
import { botOf, grantOf } from "./actor";
import { bodyOf, idParam } from "./form";

/** Who one is, who others are, and how to reach the gateway. */
export function peopleRoutes(world: World, api: Hono) {
  api.get("/gateway", (c) => c.json({ url: gatewayUrl(world) }));
  api.get("/gateway/bot", (c) => {
    botOf(world, c);
    return c.json({ url: gatewayUrl(world), shards: 1, session_start_limit: sessionBudget(world) });
  });

  api.get("/users/@me", (c) => {
    if (!c.req.header("authorization")?.startsWith("Bearer ")) {
      const bot = userOf(world, botOf(world, c).actor);
      return c.json({ ...personal(bot), verified: true, email: null });
    }
    const grant = grantOf(world, c);
    if (!grant.scopes.includes("identify")) throw refusals.unauthorized();
    return c.json(personal(userOf(world, grant.user)));
  });
  api.get("/users/:user", (c) => {
    botOf(world, c);
    return c.json(userJson(userOf(world, idParam(c, "user"))));
  });
  api.post("/users/@me/channels", async (c) => {
    botOf(world, c);
    const { recipient_id } = await bodyOf(c, z.object({ recipient_id: z.string() }));
    const user = world.store.users.get(recipient_id);
    if (!user || user.bot) throw refusals.invalidRecipients();
    return c.json(channelJson(world, directChannel(world, recipient_id)));
  });

  for (const path of ["/applications/@me", "/oauth2/applications/@me"])
    api.get(path, (c) => {
      botOf(world, c);
      return c.json(applicationJson(world));
    });
}

function personal(user: Parameters<typeof userJson>[0]) {
  return { ...userJson(user), mfa_enabled: true, locale: "en-US", premium_type: 0 };
}

/** The application as its owner sees it. */
function applicationJson(world: World) {
  const { applicationId, botId, ownerId } = world.known;
  const flags = applicationFlags(world);
  return {
    id: applicationId,
    name: userOf(world, botId).username,
    icon: null,
    description: "",
    type: null,
    bot: userJson(userOf(world, botId)),
    bot_public: false,
    bot_require_code_grant: false,
    verify_key: "0".repeat(64),
    flags,
    flags_new: String(flags),
    redirect_uris: world.redirectUris,
    interactions_endpoint_url: null,
    role_connections_verification_url: null,
    owner: userJson(userOf(world, ownerId)),
    approximate_guild_count: 1,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: world.store.grants.all().filter(({ revoked }) => !revoked).length,
    explicit_content_filter: 0,
    team: null,
    eligible_oauth2_scopes: ["identify", "guilds.join", "bot", "applications.commands"],
    summary: "",
    hook: true,
  };
}
