import { type APIMessage, type REST, Routes } from "discord.js";
import { eq } from "drizzle-orm";
import { commit } from "@/core/commit";
import type { DiscordConfig } from "@/core/config";
import type { Ctx } from "@/core/context";
import { keepFact } from "@/core/installation";
import { installation } from "@/core/schema";
import { codeOf, discordCodes, translated } from "../discord/rest";
import { bodyOf, createPosts } from "./posts";
import { panel } from "./messages";

const name = "ticket_panel";

type PanelMessage = { channelId: string; messageId: string };

/**
 * Keeps one up-to-date panel in the support channel. A deleted panel is posted anew, and a panel in a former support
 * channel is removed. Throws what `Guild` throws.
 */
export async function keepPanel(ctx: Ctx, rest: REST, { supportChannelId }: DiscordConfig): Promise<void> {
  const posts = createPosts(rest);
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
  await remember(ctx, { channelId: supportChannelId, messageId });
  // where it can't be removed it is gone with its channel, or out of the bot's reach
  if (before && before.channelId !== supportChannelId)
    await posts.remove(before.channelId, before.messageId).catch(() => {});
}

export async function storedPanel(ctx: Ctx): Promise<PanelMessage | null> {
  const [row] = await ctx.store.db.select().from(installation).where(eq(installation.name, name));
  const [channelId, messageId] = row?.value.split(":") ?? [];
  return channelId && messageId ? { channelId, messageId } : null;
}

/** Edits the message only where it differs; false when it is gone. */
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

const remember = (ctx: Ctx, { channelId, messageId }: PanelMessage) =>
  commit(ctx.store, [keepFact(ctx, name, `${channelId}:${messageId}`)]);
