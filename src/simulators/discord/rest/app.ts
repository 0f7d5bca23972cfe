import { Hono } from "hono";
import { DiscordRefusal, refusals } from "../errors";
import { interactionRoutes } from "../interactions/follow";
import type { World } from "../world";
import { buckets } from "./buckets";
import { channelRoutes } from "./channels";
import { commandRoutes } from "./commands";
import { gate, refusalResponse } from "./gate";
import { guildRoutes } from "./guild";
import { memberRoutes } from "./members";
import { messageRoutes } from "./messages";
import { peopleRoutes } from "./people";
import { threadRoutes } from "./threads";

/** Discord's HTTP API, version 10; `more` adds what belongs to it but stands elsewhere. */
export function restApi(world: World, more: (api: Hono) => void): Hono {
  const kept = buckets(world);
  const api = new Hono();
  api.use(gate(world, kept));
  peopleRoutes(world, api);
  more(api);
  guildRoutes(world, api);
  memberRoutes(world, api);
  channelRoutes(world, api, kept);
  messageRoutes(world, api);
  threadRoutes(world, api);
  commandRoutes(world, api);
  interactionRoutes(world, api);
  api.all("*", () => refusalResponse(refusals.notFound()));
  api.onError((error) => {
    if (error instanceof DiscordRefusal) return refusalResponse(error);
    console.error(error);
    return Response.json({ message: "500: Internal Server Error", code: 0 }, { status: 500 });
  });
  return api;
}
