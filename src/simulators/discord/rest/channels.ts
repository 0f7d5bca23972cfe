import type { Context, Hono } from "hono";
import { z } from "zod";
import { refusals } from "../errors";
import { channelFor, deleteChannel } from "../guild/channels";
import { announceAdded } from "../guild/messages";
import { can, isInThread } from "../guild/permissions";
import { addToThread, changeThread, leaveThread, mustInvite, mustManage, openThread } from "../guild/threads";
import { channelJson } from "../wire/channels";
import type { World } from "../world";
import { botOf } from "./actor";
import { bodyOf, idParam } from "./form";

const archiveAfter = z.union([z.literal([60, 1440, 4320, 10_080])]);
const newThread = z.object({
  name: z.string().min(1).max(100),
  type: z.literal(12),
  auto_archive_duration: archiveAfter.nullish(),
  invitable: z.boolean().nullish(),
});
const threadChange = z.object({
  archived: z.boolean().optional(),
  locked: z.boolean().optional(),
  auto_archive_duration: archiveAfter.optional(),
});

/** Channels and private threads. */
export function channelRoutes(world: World, api: Hono) {
  const enter = (c: Context) => {
    const actor = botOf(world, c);
    return { actor, channel: channelFor(world, actor, idParam(c, "channel")) };
  };

  api.get("/channels/:channel", (c) => {
    const { actor, channel } = enter(c);
    return c.json(channelJson(world, channel, actor));
  });
  api.patch("/channels/:channel", async (c) => {
    const { actor, channel } = enter(c);
    const change = await bodyOf(c, threadChange);
    return c.json(channelJson(world, changeThread(world, actor, channel, change), actor));
  });
  api.delete("/channels/:channel", (c) => {
    const { actor, channel } = enter(c);
    deleteChannel(world, actor, channel);
    return c.json(channelJson(world, channel, actor));
  });
  api.post("/channels/:channel/threads", async (c) => {
    const { actor, channel } = enter(c);
    const thread = openThread(world, actor, channel, await bodyOf(c, newThread));
    return c.json(channelJson(world, thread, actor), 201);
  });
  api.put("/channels/:channel/thread-members/:user", (c) => {
    const { actor, channel } = enter(c);
    mustInvite(world, actor, channel);
    const user = idParam(c, "user");
    if (!world.store.members.has(user))
      throw world.store.users.has(user) ? refusals.unknownMember() : refusals.unknownUser();
    // nobody can be added to a thread whose channel they can't see
    const parent = world.store.channels.get(channel.parent_id ?? "");
    if (!parent || !can(world, user, "VIEW_CHANNEL", parent)) throw refusals.missingAccess();
    if (!isInThread(world, channel.id, user)) {
      addToThread(world, channel, user);
      announceAdded(world, actor, channel, user);
    }
    return c.body(null, 204);
  });
  api.delete("/channels/:channel/thread-members/:user", (c) => {
    const { actor, channel } = enter(c);
    mustManage(world, actor, channel);
    const user = idParam(c, "user");
    if (!isInThread(world, channel.id, user)) throw refusals.unknownMember();
    leaveThread(world, channel, user);
    return c.body(null, 204);
  });
}
