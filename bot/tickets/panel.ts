import { type APIMessage, type REST, Routes } from "discord.js";
import { eq } from "drizzle-orm";
import { commit } from "@/core/commit";
import type { DiscordConfig } from "@/core/config";
import type { Ctx } from "@/core/context";
import { keepFact } from "@/core/installation";
import { installation } from "@/core/schema";
import { codeOf } from "../discord/rest";
import { outside, placeCodes } from "./calls";
import { bodyOf, createPosts } from "./posts";
import { panel } from "./messages";

const name = "ticket_panel";

/** Where the panel stands. */
type Place = { channelId: string; messageId: string };

/**
 * Sees to it that the support channel holds the panel, once and as it should read. One that somebody
 * deleted is posted anew, and one in a channel that was the support channel before is taken away. Throws
 * what `Guild` throws.
 */
export async function keepPanel(ctx: Ctx, rest: REST, { supportChannelId }: DiscordConfig): Promise<void> {
  const posts = createPosts(rest);
  const before = await panelPlace(ctx);
  const known =
    before?.channelId === supportChannelId
      ? before.messageId
      : await outside(posts.findOwn(supportChannelId, "ticket-topic:"));
  const stands =
    known !== null && (await outside(edit(rest, Routes.channelMessage(supportChannelId, known))));
  const messageId = stands
    ? known
    : await outside(posts.post(supportChannelId, panel(), `panel:${supportChannelId}:${known ?? ""}`));
  await remember(ctx, { channelId: supportChannelId, messageId });
  // gone with its channel, or out of our reach: then it is in nobody's way
  if (before && before.channelId !== supportChannelId)
    await posts.takeBack(before.channelId, before.messageId).catch(() => {});
}

export async function panelPlace(ctx: Ctx): Promise<Place | null> {
  const [row] = await ctx.store.db.select().from(installation).where(eq(installation.name, name));
  const [channelId, messageId] = row?.value.split(":") ?? [];
  return channelId && messageId ? { channelId, messageId } : null;
}

/** Written again only where it reads otherwise; false when it is no longer there. */
async function edit(rest: REST, route: `/${string}`): Promise<boolean> {
  try {
    const body = bodyOf(panel());
    const there = (await rest.get(route)) as APIMessage;
    if (JSON.stringify(shapeOf(there)) !== JSON.stringify(shapeOf(body))) await rest.patch(route, { body });
    return true;
  } catch (error) {
    if (codeOf(error) === placeCodes.unknownMessage) return false;
    throw error;
  }
}

/** What tells one panel from another: its texts and buttons, without what Discord adds. */
const shapeOf = (message: Partial<APIMessage> | object) =>
  [...JSON.stringify(message).matchAll(/"(title|description|custom_id|label)":"((?:[^"\\]|\\.)*)"/g)]
    .map(([, key, text]) => `${key}=${text}`)
    .toSorted();

const remember = (ctx: Ctx, { channelId, messageId }: Place) =>
  commit(ctx.store, [keepFact(ctx, name, `${channelId}:${messageId}`)]);
