import type { Context, Hono } from "hono";
import { z } from "zod";
import { channelChange } from "./shapes/channels";
import { createChannel, topLevel } from "../guild/channels";
import { ban, type By, unban } from "../guild/members";
import { changeRole, createRole, deleteRole, moveRoles } from "../guild/roles";
import { can, mustBeAllowed } from "../guild/standing";
import { refusals } from "../errors";
import { activeThreads, channelJson, ownMemberships } from "../wire/channels";
import { guildJson, guildWithCounts } from "../wire/guild";
import { roleJson, userJson, userOf } from "../wire/people";
import type { Role } from "../store/rows";
import type { World } from "../world";
import { botOf, mustBeGuild } from "./actor";
import { bodyOf, idParam } from "./form";

const bitsText = z.union([z.string().regex(/^\d+$/), z.int()]).transform(String);
const roleChange = z.object({
  name: z.string().max(100).nullish(),
  permissions: bitsText.nullish(),
  color: z.int().min(0).max(0xffffff).nullish(),
  colors: z.object({ primary_color: z.int().min(0).max(0xffffff) }).nullish(),
  hoist: z.boolean().nullish(),
  mentionable: z.boolean().nullish(),
});
const roleMoves = z.array(z.object({ id: z.string(), position: z.int().nullish() }));

/** The server itself, its roles, channels, threads and bans. */
export function guildRoutes(world: World, api: Hono) {
  const enter = (c: Context): By => {
    const by = botOf(world, c);
    mustBeGuild(world, idParam(c, "guild"));
    if (!world.store.members.has(by.actor)) throw refusals.missingAccess();
    return by;
  };
  const role = (row: Role) => roleJson(row, world.known.guildId);

  api.get("/guilds/:guild", (c) => {
    enter(c);
    return c.json(c.req.query("with_counts") === "true" ? guildWithCounts(world) : guildJson(world));
  });
  api.get("/guilds/:guild/roles", (c) => {
    enter(c);
    return c.json(world.store.roles.all().map(role));
  });
  api.get("/guilds/:guild/roles/:role", (c) => {
    enter(c);
    const found = world.store.roles.get(idParam(c, "role"));
    if (!found) throw refusals.unknownRole();
    return c.json(role(found));
  });
  api.post("/guilds/:guild/roles", async (c) => {
    const by = enter(c);
    return c.json(role(createRole(world, by, colour(await bodyOf(c, roleChange)))));
  });
  api.patch("/guilds/:guild/roles", async (c) => {
    moveRoles(world, enter(c), await bodyOf(c, roleMoves));
    return c.json(world.store.roles.all().map(role));
  });
  api.patch("/guilds/:guild/roles/:role", async (c) => {
    const by = enter(c);
    return c.json(role(changeRole(world, by, idParam(c, "role"), colour(await bodyOf(c, roleChange)))));
  });
  api.delete("/guilds/:guild/roles/:role", (c) => {
    deleteRole(world, enter(c), idParam(c, "role"));
    return c.body(null, 204);
  });

  api.get("/guilds/:guild/channels", (c) => {
    enter(c);
    return c.json(topLevel(world).map((channel) => channelJson(world, channel)));
  });
  api.post("/guilds/:guild/channels", async (c) => {
    const by = enter(c);
    const { type, ...change } = await bodyOf(c, channelChange.extend({ name: z.string().min(1).max(100) }));
    return c.json(channelJson(world, createChannel(world, by, type ?? 0, change)), 201);
  });
  api.get("/guilds/:guild/threads/active", (c) => {
    const { actor } = enter(c);
    const threads = activeThreads(world, (channel) => can(world, actor, "VIEW_CHANNEL", channel));
    return c.json({
      threads: threads.map((channel) => channelJson(world, channel, actor)),
      members: ownMemberships(world, threads, actor),
      has_more: false,
    });
  });

  const banJson = ({ id, reason }: { id: string; reason: string | null }) => ({
    reason,
    user: userJson(userOf(world, id)),
  });
  api.get("/guilds/:guild/bans", (c) => {
    mustBeAllowed(world, enter(c).actor, ["BAN_MEMBERS"]);
    return c.json(world.store.bans.all().map(banJson));
  });
  api.get("/guilds/:guild/bans/:user", (c) => {
    mustBeAllowed(world, enter(c).actor, ["BAN_MEMBERS"]);
    const found = world.store.bans.get(idParam(c, "user"));
    if (!found) throw refusals.unknownBan();
    return c.json(banJson(found));
  });
  api.put("/guilds/:guild/bans/:user", (c) => {
    ban(world, enter(c), idParam(c, "user"));
    return c.body(null, 204);
  });
  api.delete("/guilds/:guild/bans/:user", (c) => {
    unban(world, enter(c), idParam(c, "user"));
    return c.body(null, 204);
  });
}

function colour({ colors, ...change }: z.infer<typeof roleChange>) {
  return { ...change, color: change.color ?? colors?.primary_color };
}
