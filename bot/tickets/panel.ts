import { type APIMessage, type REST, Routes } from "discord.js";
import { support } from "@/brand/tickets";
import { commit } from "@/core/database/commit";
import type { DiscordConfig } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import { factOf, keepFact } from "@/core/database/key-values";
import { topicNames, topicOf } from "@/domain/tickets/reading/topics";
import { bodyOf, type Message, type Posts } from "../discord/posts";
import { codeOf, discordCodes, translated } from "../discord/rest";
import { button, newEmbed, row } from "../interactions/components";

const fact = "ticket_panel";

const panel = (): Message => ({
  embeds: [newEmbed().setTitle(support.panel.title).setDescription(support.panel.text)],
  components: [
    row(
      topicNames.map((topic) => {
        const { name, emoji } = topicOf(topic);
        const one = button(`ticket-topic:${topic}`, name);
        return emoji === undefined ? one : one.setEmoji(emoji);
      }),
    ),
  ],
});

type Parts = { ctx: Ctx; rest: REST; posts: Posts; config: DiscordConfig };

/**
 * Keeps one up-to-date panel in the support channel. Replaces a deleted panel, and removes a panel in a former support
 * channel. Throws what `Guild` throws.
 */
export async function keepPanel({ ctx, rest, posts, config: { supportChannelId } }: Parts): Promise<void> {
  const before = await storedPanel(ctx);
  const known =
    before?.channelId === supportChannelId
      ? before.messageId
      : await translated(posts.findOwn(supportChannelId, "ticket-topic:"));
  const exists =
    known !== null && (await translated(edit(rest, Routes.channelMessage(supportChannelId, known))));
  const messageId = exists
    ? known
    : await translated(posts.post(supportChannelId, panel(), `panel:${supportChannelId}:${known ?? ""}`));
  await commit(ctx.store, [keepFact(ctx, fact, `${supportChannelId}:${messageId}`)]);
  // if removing fails, the channel is gone or out of the bot's reach
  if (before && before.channelId !== supportChannelId)
    await posts.remove(before.channelId, before.messageId).catch(() => {});
}

export async function storedPanel(ctx: Ctx): Promise<{ channelId: string; messageId: string } | null> {
  const [channelId, messageId] = (await factOf(ctx, fact))?.split(":") ?? [];
  return channelId && messageId ? { channelId, messageId } : null;
}

/** Edits the message only if it differs; false if it is gone. */
async function edit(rest: REST, route: `/${string}`): Promise<boolean> {
  try {
    const body = bodyOf(panel());
    const there = (await rest.get(route)) as APIMessage;
    if (JSON.stringify(shapeOf(there)) !== JSON.stringify(shapeOf(body))) await rest.patch(route, { body });
    return true;
  } catch (error) {
    if (codeOf(error) === discordCodes.unknownMessage) return false;
    throw error;
  }
}

/** The panel's texts and buttons, without what Discord adds to a message. */
const shapeOf = (message: Partial<APIMessage> | object) =>
  [...JSON.stringify(message).matchAll(/"(title|description|custom_id|label)":"((?:[^"\\]|\\.)*)"/g)]
    .map(([, key, text]) => `${key}=${text}`)
    .toSorted();
