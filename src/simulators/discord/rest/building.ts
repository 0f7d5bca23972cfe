import type { Context, Hono } from "hono";
import { z } from "zod";
import { refusals } from "../errors";
import { createChannel, topLevel } from "../guild/channels";
import { mustBeAllowed, mustHoldAll, permissionsOf } from "../guild/permissions";
import { addRole } from "../guild/roles";
import { textChannelJson } from "../wire/channels";
import { guildJson, roleJson } from "../wire/people";
import type { World } from "../world";
import { botOf, mustBeGuild } from "./actor";
import { bodyOf, idParam } from "./form";

const bits = z.union([z.string().regex(/^\d+$/), z.int().nonnegative()]).transform(String);
const roleBody = z.object({
  name: z.string().min(1).max(100).default("new role"),
  permissions: bits.default("0"),
  color: z.int().min(0).max(0xffffff).default(0),
  hoist: z.boolean().default(false),
  mentionable: z.boolean().default(false),
});
const channelBody = z.object({
  name: z.string().min(1).max(100),
  type: z.literal(0).nullish(),
  topic: z.string().max(4096).nullable().default(null),
  permission_overwrites: z
    .array(
      z.object({
        id: z.string().regex(/^\d+$/),
        type: z.literal([0, 1]),
        allow: bits.default("0"),
        deny: bits.default("0"),
      }),
    )
    .max(100)
    .default([]),
});

/** The servers of the bot, and what it builds in one: roles and channels. */
export function buildingRoutes(world: World, api: Hono) {
  const enter = (c: Context): string => {
    const actor = botOf(world, c);
    mustBeGuild(world, idParam(c, "guild"));
    if (!world.store.members.has(actor)) throw refusals.missingAccess();
    return actor;
  };

  api.get("/users/@me/guilds", (c) => {
    const actor = botOf(world, c);
    return c.json(world.store.members.has(actor) ? [ownGuildJson(world, actor)] : []);
  });
  api.get("/guilds/:guild", (c) => {
    enter(c);
    return c.json(guildJson(world));
  });
  api.get("/guilds/:guild/roles/member-counts", (c) => {
    enter(c);
    const members = world.store.members.all();
    const own = world.store.roles.all().filter(({ id }) => id !== world.known.guildId);
    const counts = own.map(({ id }) => [id, members.filter(({ roles }) => roles.includes(id)).length]);
    return c.json(Object.fromEntries(counts));
  });
  api.post("/guilds/:guild/roles", async (c) => {
    const actor = enter(c);
    const given = await bodyOf(c, roleBody);
    mustBeAllowed(world, actor, ["MANAGE_ROLES"]);
    mustHoldAll(world, actor, BigInt(given.permissions));
    return c.json(roleJson(addRole(world, given)));
  });
  api.get("/guilds/:guild/channels", (c) => {
    enter(c);
    return c.json(topLevel(world).map((channel) => textChannelJson(world, channel)));
  });
  api.post("/guilds/:guild/channels", async (c) => {
    const actor = enter(c);
    const { name, topic, permission_overwrites: overwrites } = await bodyOf(c, channelBody);
    mustBeAllowed(world, actor, ["MANAGE_CHANNELS"]);
    for (const { allow, deny } of overwrites) mustHoldAll(world, actor, BigInt(allow) | BigInt(deny));
    const channel = createChannel(world, textName(name), { topic, overwrites });
    return c.json(textChannelJson(world, channel), 201);
  });
}

/** Discord writes the name of a text channel small and without spaces. */
const textName = (name: string) => name.toLowerCase().replaceAll(/\s+/g, "-");

function ownGuildJson(world: World, user: string) {
  const { id, name, icon, banner, owner_id, features } = guildJson(world);
  const permissions = String(permissionsOf(world, user));
  return { id, name, icon, banner, owner: owner_id === user, permissions, features };
}
