import type { Context, Hono } from "hono";
import type { APIApplicationCommand } from "discord.js";
import { refusals } from "../errors";
import type { Command } from "../rows";
import type { Wire } from "../wire/types";
import type { World } from "../world";
import { botOf, mustBeGuild } from "./actor";
import { bodyOf, idParam } from "./form";
import { type CommandBody, commandList } from "./shapes/commands";

/** The application's commands in the server. */
export function commandRoutes(world: World, api: Hono) {
  const path = "/applications/:application/guilds/:guild/commands";
  const expectCommands = (c: Context): Command[] => {
    botOf(world, c);
    if (idParam(c, "application") !== world.known.applicationId) throw refusals.missingAccess();
    mustBeGuild(world, idParam(c, "guild"));
    return world.store.commands.all();
  };
  api.get(path, (c) => c.json(expectCommands(c).map((one) => commandJson(world, one))));
  api.put(path, async (c) => {
    const before = expectCommands(c);
    const wanted = await bodyOf(c, commandList);
    for (const { id } of before) world.store.remove("commands", id);
    return c.json(wanted.map((body) => commandJson(world, storeCommand(world, body, before))));
  });
}

/** A command keeps its id while it keeps its name. */
function storeCommand(world: World, body: CommandBody, before: Command[]): Command {
  const known = before.find(({ name }) => name === body.name);
  const same = known && JSON.stringify(known.body) === JSON.stringify(body);
  return world.store.put("commands", {
    id: known?.id ?? world.ids.snowflake(),
    version: same ? known.version : world.ids.snowflake(),
    name: body.name,
    body,
  });
}

function commandJson(world: World, { id, version, body }: Command): Wire<APIApplicationCommand> {
  return {
    ...body,
    id,
    application_id: world.known.applicationId,
    guild_id: world.known.guildId,
    version,
    default_member_permissions: body.default_member_permissions ?? null,
    nsfw: false,
    contexts: null,
    integration_types: [0],
  };
}
