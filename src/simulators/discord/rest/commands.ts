import type { Context, Hono } from "hono";
import { z } from "zod";
import { refusals } from "../errors";
import type { Command } from "../store/rows";
import type { World } from "../world";
import { botOf, mustBeGuild } from "./actor";
import { bodyOf, check, idParam } from "./form";
import { type CommandBody, command, commandList } from "./shapes/commands";

/** Application commands, everywhere and of the one server. */
export function commandRoutes(world: World, api: Hono) {
  for (const place of [
    "/applications/:application/commands",
    "/applications/:application/guilds/:guild/commands",
  ]) {
    const enter = (c: Context): string | null => {
      botOf(world, c);
      if (idParam(c, "application") !== world.known.applicationId) throw refusals.missingAccess();
      if (!place.includes(":guild")) return null;
      mustBeGuild(world, idParam(c, "guild"));
      return world.known.guildId;
    };
    const list = (guild: string | null) => world.store.commands.all().filter((one) => one.guild_id === guild);
    const find = (c: Context): Command => {
      const guild = enter(c);
      const found = world.store.commands.get(idParam(c, "command"));
      if (!found || found.guild_id !== guild) throw refusals.unknownCommand();
      return found;
    };

    api.get(place, (c) => c.json(list(enter(c)).map((one) => commandJson(world, one))));
    api.put(place, async (c) => {
      const guild = enter(c);
      const wanted = await bodyOf(c, commandList);
      const before = list(guild);
      for (const { id } of before) world.store.remove("commands", id);
      return c.json(wanted.map((body) => commandJson(world, put(world, guild, body, before))));
    });
    api.post(place, async (c) => {
      const guild = enter(c);
      const body = await bodyOf(c, command);
      const before = list(guild);
      const known = before.some((one) => one.name === body.name && one.type === body.type);
      return c.json(commandJson(world, put(world, guild, body, before)), known ? 200 : 201);
    });
    api.get(`${place}/:command`, (c) => c.json(commandJson(world, find(c))));
    api.patch(`${place}/:command`, async (c) => {
      const found = find(c);
      const given = await bodyOf(c, z.looseObject({}));
      const body = check(command, { ...found.body, ...given });
      return c.json(commandJson(world, world.store.put("commands", { ...found, name: body.name, body })));
    });
    api.delete(`${place}/:command`, (c) => {
      world.store.remove("commands", find(c).id);
      return c.body(null, 204);
    });
  }
}

/** Keeps the id of the command that had this name and kind. */
function put(world: World, guild_id: string | null, wanted: CommandBody, before: Command[]): Command {
  const { id: _ignored, ...body } = wanted;
  const known = before.find((one) => one.name === body.name && one.type === body.type);
  const same = known && JSON.stringify(known.body) === JSON.stringify(body);
  return world.store.put("commands", {
    id: known?.id ?? world.ids.snowflake(),
    guild_id,
    version: same ? known.version : world.ids.snowflake(),
    type: body.type,
    name: body.name,
    body,
  });
}

function commandJson(world: World, { id, guild_id, version, body }: Command) {
  return {
    ...body,
    id,
    application_id: world.known.applicationId,
    ...(guild_id !== null && { guild_id }),
    version,
    description: body["description"] ?? "",
    default_member_permissions: body["default_member_permissions"] ?? null,
    nsfw: body["nsfw"] ?? false,
    dm_permission: body["dm_permission"] ?? true,
    contexts: body["contexts"] ?? null,
    integration_types: body["integration_types"] ?? [0],
  };
}
