import type { Context, Hono } from "hono";
import { z } from "zod";
import { invalidForm } from "../errors";
import { channelFor } from "../guild/channels";
import type { By } from "../guild/members";
import { deleteMessage, edit, messageFor, sees, write } from "../guild/messages";
import { can, mustBeAllowed } from "../guild/standing";
import { snowflakeAt } from "../ids";
import type { Channel, Message } from "../store/rows";
import { forBot, messageJson } from "../wire/messages";
import type { World } from "../world";
import { botOf } from "./actor";
import { changeOf, draftOf } from "./drafts";
import { bodyOf, idParam } from "./form";
import { countParam } from "./members";

const bulk = z.object({ messages: z.array(z.string()).min(2).max(100) });
/** The same number used once was sent twice by accident, if within so long. */
const nonceMs = 300_000;

/** Messages in channels, threads and direct messages. */
export function messageRoutes(world: World, api: Hono) {
  const enter = (c: Context): { by: By; channel: Channel } => {
    const by = botOf(world, c);
    return { by, channel: channelFor(world, by.actor, idParam(c, "channel")) };
  };
  const message = (c: Context, { by, channel }: ReturnType<typeof enter>) =>
    messageFor(world, by.actor, channel.id, idParam(c, "message"));

  api.get("/channels/:channel/messages", (c) => {
    const { by, channel } = enter(c);
    const limit = countParam(c, "limit", { least: 1, most: 100, usual: 50 });
    if (!can(world, by.actor, "READ_MESSAGE_HISTORY", channel)) return c.json([]);
    const all = world.store.messages.group(channel.id).filter((one) => sees(one, by.actor));
    const found = page(all, c, limit).map((one) => forBot(world, one));
    return c.json(world.faults.api.oldestFirst ? found.toReversed() : found);
  });
  api.get("/channels/:channel/messages/:message", (c) => c.json(forBot(world, message(c, enter(c)))));
  api.post("/channels/:channel/messages", async (c) => {
    const { by, channel } = enter(c);
    const { draft, body } = await draftOf(world, c);
    const before = body.enforce_nonce ? sentBefore(world, channel, by.actor, draft.nonce) : undefined;
    if (before) return c.json(messageJson(world, before));
    mustFind(world, channel, body.message_reference);
    return c.json(
      messageJson(world, write(world, by.actor, channel, { ...draft, flags: draft.flags & ~64 })),
    );
  });
  api.patch("/channels/:channel/messages/:message", async (c) => {
    const entered = enter(c);
    const found = message(c, entered);
    const change = await changeOf(world, c, found.flags);
    return c.json(messageJson(world, edit(world, entered.by.actor, found, change)));
  });
  api.delete("/channels/:channel/messages/:message", (c) => {
    const entered = enter(c);
    deleteMessage(world, entered.by, message(c, entered));
    return c.body(null, 204);
  });
  api.post("/channels/:channel/messages/bulk-delete", async (c) => {
    const { by, channel } = enter(c);
    mustBeAllowed(world, by.actor, ["MANAGE_MESSAGES"], channel);
    for (const id of (await bodyOf(c, bulk)).messages) {
      const found = world.store.messages.get(id);
      if (found?.channel_id === channel.id) deleteMessage(world, by, found);
    }
    return c.body(null, 204);
  });
}

/** Newest first, as `before`, `after` and `around` cut it. */
function page(oldest: Message[], c: Context, limit: number): Message[] {
  const { before, after, around } = c.req.query();
  if (after !== undefined)
    return oldest
      .filter(({ id }) => BigInt(id) > BigInt(after))
      .slice(0, limit)
      .toReversed();
  if (around !== undefined) {
    const at = oldest.findIndex(({ id }) => BigInt(id) >= BigInt(around));
    const start = Math.max(0, (at === -1 ? oldest.length : at) - Math.floor(limit / 2));
    return oldest.slice(start, start + limit).toReversed();
  }
  const older = before === undefined ? oldest : oldest.filter(({ id }) => BigInt(id) < BigInt(before));
  return older.slice(-limit).toReversed();
}

function sentBefore(world: World, channel: Channel, author: string, nonce: string | number | null) {
  if (nonce === null) return undefined;
  const since = BigInt(snowflakeAt(world.now() - nonceMs));
  const sent = world.store.messages.group(channel.id).filter(({ id }) => BigInt(id) >= since);
  return sent.find((one) => one.author_id === author && String(one.nonce) === String(nonce));
}

type Reference = { message_id: string; fail_if_not_exists?: boolean | null | undefined };

function mustFind(world: World, channel: Channel, reference: Reference | null | undefined) {
  if (!reference || reference.fail_if_not_exists === false) return;
  if (world.store.messages.get(reference.message_id)?.channel_id === channel.id) return;
  throw invalidForm("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message");
}
