import { Hono } from "hono";
import { DiscordRefusal, refusals } from "../errors";
import { interactionRoutes } from "./interactions";
import { tokenRoutes } from "../oauth/token";
import type { World } from "../world";
import { buildingRoutes } from "./building";
import { channelRoutes } from "./channels";
import { commandRoutes } from "./commands";
import { gate } from "./gate";
import { guildRoutes } from "./guild";
import { identityRoutes } from "./identity";
import { openBuckets } from "./buckets";
import { messageRoutes } from "./messages";
import { refusalResponse } from "./refusals";

/** The part of Discord's HTTP API, version 10, that the shop uses. */
export function restApi(world: World): Hono {
  const api = new Hono();
  api.use(gate(world, openBuckets(world)));
  identityRoutes(world, api);
  tokenRoutes(world, api);
  buildingRoutes(world, api);
  guildRoutes(world, api);
  channelRoutes(world, api);
  messageRoutes(world, api);
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
