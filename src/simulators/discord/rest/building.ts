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
  name: z.string().min(1).max(100).nullish(),
  permissions: bits.nullish(),
  color: z.int().min(0).max(0xffffff).nullish(),
  hoist: z.boolean().nullish(),
  mentionable: z.boolean().nullish(),
});
const channelBody = z.object({
  name: z.string().min(1).max(100),
  type: z.literal(0).nullish(),
  topic: z.string().max(4096).nullish(),
  permission_overwrites: z
    .array(
      z.object({
        id: z.string().regex(/^\d+$/),
        type: z.literal([0, 1]),
        allow: bits.nullish(),
        deny: bits.nullish(),
      }),
    )
    .max(100)
    .nullish(),
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
    const { name, ...given } = await bodyOf(c, roleBody);
    mustBeAllowed(world, actor, ["MANAGE_ROLES"]);
    mustHoldAll(world, actor, BigInt(given.permissions ?? 0));
    return c.json(roleJson(addRole(world, { name: name ?? "new role", ...stated(given) })));
  });
  api.get("/guilds/:guild/channels", (c) => {
    enter(c);
    return c.json(topLevel(world).map((channel) => textChannelJson(world, channel)));
  });
  api.post("/guilds/:guild/channels", async (c) => {
    const actor = enter(c);
    const { name, topic, permission_overwrites } = await bodyOf(c, channelBody);
    mustBeAllowed(world, actor, ["MANAGE_CHANNELS"]);
    const overwrites = (permission_overwrites ?? []).map(({ allow, deny, ...one }) => ({
      ...one,
      allow: allow ?? "0",
      deny: deny ?? "0",
    }));
    for (const { allow, deny } of overwrites) mustHoldAll(world, actor, BigInt(allow) | BigInt(deny));
    const channel = createChannel(world, textName(name), { topic: topic ?? null, overwrites });
    return c.json(textChannelJson(world, channel), 201);
  });
}

/** Without what the call left out. */
const stated = <T extends object>(body: T) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

/** Discord writes the name of a text channel small and without spaces. */
const textName = (name: string) => name.toLowerCase().replaceAll(/\s+/g, "-");

function ownGuildJson(world: World, user: string) {
  const { id, name, icon, banner, owner_id, features } = guildJson(world);
  const permissions = String(permissionsOf(world, user));
  return { id, name, icon, banner, owner: owner_id === user, permissions, features };
}
