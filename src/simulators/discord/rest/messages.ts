import type { Context, Hono } from "hono";
import { channelFor } from "../guild/channels";
import { deleteMessage, edit, messageFor, sees, write } from "../guild/messages";
import { can } from "../guild/permissions";
import { snowflakeAt } from "../ids";
import type { Channel, Message } from "../rows";
import { forBot, messageJson } from "../wire/messages";
import type { World } from "../world";
import { botOf } from "./actor";
import { messageChangeOf, draftOf } from "./drafts";
import { countParam, idParam } from "./form";

/** For how long a message with the same nonce counts as a repetition; who fetches a message never reads its nonce. */
const nonceMs = 300_000;

export function messageRoutes(world: World, api: Hono) {
  const enter = (c: Context) => {
    const actor = botOf(world, c);
    return { actor, channel: channelFor(world, actor, idParam(c, "channel")) };
  };
  const enterMessage = (c: Context) => {
    const { actor, channel } = enter(c);
    return { actor, message: messageFor(world, actor, channel.id, idParam(c, "message")) };
  };

  api.get("/channels/:channel/messages", (c) => {
    const { actor, channel } = enter(c);
    const limit = countParam(c, "limit", { least: 1, most: 100, usual: 50 });
    if (!can(world, actor, "READ_MESSAGE_HISTORY", channel)) return c.json([]);
    const all = world.store.messages.group(channel.id).filter((one) => sees(one, actor));
    const found = page(all, c.req.query("after"), limit).map((one) => fetchedJson(world, one));
    return c.json(world.faults.api.oldestFirst ? found.toReversed() : found);
  });
  api.get("/channels/:channel/messages/:message", (c) => c.json(fetchedJson(world, enterMessage(c).message)));
  api.post("/channels/:channel/messages", async (c) => {
    const { actor, channel } = enter(c);
    const { draft, body } = await draftOf(world, c);
    const before = body.enforce_nonce ? sentBefore(world, channel, actor, draft.nonce) : undefined;
    return c.json(
      messageJson(world, before ?? write(world, actor, channel, { ...draft, flags: draft.flags & ~64 })),
    );
  });
  api.patch("/channels/:channel/messages/:message", async (c) => {
    const { actor, message } = enterMessage(c);
    return c.json(messageJson(world, edit(world, actor, message, await messageChangeOf(world, c))));
  });
  api.delete("/channels/:channel/messages/:message", (c) => {
    const { actor, message } = enterMessage(c);
    deleteMessage(world, actor, message);
    return c.body(null, 204);
  });
}

const fetchedJson = (world: World, message: Message) => ({ ...forBot(world, message), nonce: undefined });

/** A page of messages, newest first. */
function page(oldest: Message[], after: string | undefined, limit: number): Message[] {
  if (after === undefined) return oldest.slice(-limit).toReversed();
  const later = oldest.filter(({ id }) => BigInt(id) > BigInt(after));
  return later.slice(0, limit).toReversed();
}

function sentBefore(world: World, channel: Channel, author: string, nonce: string | number | null) {
  if (nonce === null) return undefined;
  const since = BigInt(snowflakeAt(world.now() - nonceMs));
  const sent = world.store.messages.group(channel.id).filter(({ id }) => BigInt(id) >= since);
  return sent.find((one) => one.author_id === author && String(one.nonce) === String(nonce));
}
