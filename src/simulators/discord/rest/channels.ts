import type { Hono } from "hono";
import { changeChannel, channelFor, deleteChannel, setOverwrite } from "../guild/channels";
import type { By } from "../guild/members";
import { announce } from "../guild/messages";
import { type ThreadChange, changeThread } from "../guild/threads";
import type { Channel } from "../store/rows";
import { channelJson } from "../wire/channels";
import type { World } from "../world";
import { botOf } from "./actor";
import type { Buckets } from "./buckets";
import { bodyOf, idParam } from "./form";
import { limited } from "./limited";
import { countOverrun } from "./tally";
import { channelChange, overwriteBody, threadChange } from "./shapes/channels";

/** One channel or thread. */
export function channelRoutes(world: World, api: Hono, buckets: Buckets) {
  api.get("/channels/:channel", (c) => {
    const { actor } = botOf(world, c);
    return c.json(channelJson(world, channelFor(world, actor, idParam(c, "channel")), actor));
  });
  api.patch("/channels/:channel", async (c) => {
    const by = botOf(world, c);
    const channel = channelFor(world, by.actor, idParam(c, "channel"));
    const body = await c.req.raw.clone().text();
    if (/"(name|topic)"\s*:/.test(body)) {
      const overrun = buckets.takeRenaming(channel.id);
      if (overrun) {
        countOverrun(world.tally, "PATCH /channels/:id (renaming)", "user");
        return limited("user", overrun.retryMs / 1000);
      }
    }
    const changed = channel.thread
      ? tend(world, by, channel, await bodyOf(c, threadChange))
      : changeChannel(world, by, channel, await bodyOf(c, channelChange));
    return c.json(channelJson(world, changed, by.actor));
  });
  api.delete("/channels/:channel", (c) => {
    const by = botOf(world, c);
    const channel = channelFor(world, by.actor, idParam(c, "channel"));
    if (channel.type !== 1) deleteChannel(world, by, channel);
    return c.json(channelJson(world, channel, by.actor));
  });
  api.put("/channels/:channel/permissions/:overwrite", async (c) => {
    const by = botOf(world, c);
    const channel = channelFor(world, by.actor, idParam(c, "channel"));
    const id = idParam(c, "overwrite");
    const overwrite = { id, ...(await bodyOf(c, overwriteBody)) };
    setOverwrite(world, by, channel, { id, overwrite });
    return c.body(null, 204);
  });
  api.delete("/channels/:channel/permissions/:overwrite", (c) => {
    const by = botOf(world, c);
    const channel = channelFor(world, by.actor, idParam(c, "channel"));
    setOverwrite(world, by, channel, { id: idParam(c, "overwrite"), overwrite: null });
    return c.body(null, 204);
  });
  api.post("/channels/:channel/typing", (c) => {
    channelFor(world, botOf(world, c).actor, idParam(c, "channel"));
    return c.body(null, 204);
  });
}

/** A thread that gets another name says so in itself. */
function tend(world: World, by: By, channel: Channel, change: ThreadChange): Channel {
  const changed = changeThread(world, by, channel, change);
  if (changed.name === channel.name) return changed;
  announce(world, by.actor, changed, { type: 4, content: changed.name });
  return world.store.channels.get(channel.id) ?? changed;
}
