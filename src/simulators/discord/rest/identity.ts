import type { APIApplication } from "discord.js";
import type { Hono } from "hono";
import { z } from "zod";
import { invalidForm, refusals } from "../errors";
import { applicationFlags, gatewayUrl, sessionBudget } from "../gateway/identify";
import { privileged, privilegedIntents } from "../gateway/protocol";
import { scopeMeanings } from "../oauth/request";
import { userJson, userOf } from "../wire/people";
import type { Wire } from "../wire/types";
import type { World } from "../world";
import { botOf, grantOf } from "./actor";
import { bodyOf } from "./form";

/** The caller's user and application, and how to reach the gateway. */
export function identityRoutes(world: World, api: Hono) {
  api.get("/gateway/bot", (c) => {
    botOf(world, c);
    return c.json({ url: gatewayUrl(world), shards: 1, session_start_limit: sessionBudget });
  });
  api.get("/users/@me", (c) => {
    if (!c.req.header("authorization")?.startsWith("Bearer "))
      return c.json({ ...ownUserJson(world, botOf(world, c)), verified: true, email: null });
    const grant = grantOf(world, c);
    if (!grant.scopes.includes("identify")) throw refusals.unauthorized();
    return c.json(ownUserJson(world, grant.user));
  });
  api.get("/applications/@me", (c) => {
    botOf(world, c);
    return c.json(applicationJson(world));
  });
  api.patch("/applications/@me", async (c) => {
    botOf(world, c);
    const { flags } = await bodyOf(c, z.object({ flags: z.int().nonnegative().optional() }));
    if (flags !== undefined) changeFlags(world, flags);
    return c.json(applicationJson(world));
  });
}

/** A call can change the limited intents alone: https://discord.com/developers/docs/resources/application#edit-current-application */
function changeFlags(world: World, flags: number) {
  const changeable = privilegedIntents.reduce((all, name) => all | privileged[name].flag, 0);
  if (((flags ^ applicationFlags(world)) & ~changeable) !== 0)
    throw invalidForm(
      ["flags"],
      "Only the limited intent flags can be changed.",
      "APPLICATION_FLAGS_INVALID",
    );
  const enabled = privilegedIntents.filter((name) => (flags & privileged[name].flag) !== 0);
  world.store.keep("intents", enabled.join(","));
}

const ownUserJson = (world: World, id: string) => ({
  ...userJson(userOf(world, id)),
  mfa_enabled: true,
  locale: "en-US",
  premium_type: 0,
});

/** The application as its owner sees it. */
function applicationJson(world: World) {
  const { applicationId, botId, ownerId } = world.known;
  const flags = applicationFlags(world);
  const typed: Omit<Wire<APIApplication>, "summary"> = {
    id: applicationId,
    name: userOf(world, botId).username,
    icon: null,
    description: "",
    bot: userJson(userOf(world, botId)),
    bot_public: false,
    bot_require_code_grant: false,
    verify_key: "0".repeat(64),
    flags,
    flags_new: String(flags),
    // with none listed, the simulator takes any
    ...(world.redirectUris.length > 0 && { redirect_uris: world.redirectUris }),
    interactions_endpoint_url: null,
    role_connections_verification_url: null,
    owner: userJson(userOf(world, ownerId)),
    approximate_guild_count: 1,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: world.store.grants.all().filter(({ revoked }) => !revoked).length,
    team: null,
  };
  // in Discord's OpenAPI document, but missing from discord-api-types
  const more = {
    summary: "",
    type: null,
    explicit_content_filter: 0,
    eligible_oauth2_scopes: Object.keys(scopeMeanings),
  };
  return { ...typed, ...more };
}
