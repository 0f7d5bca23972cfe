import { createHash } from "node:crypto";
import { type APIMessage, type REST, Routes } from "discord.js";
import { eq } from "drizzle-orm";
import { commit } from "@/core/commit";
import type { DiscordConfig } from "@/core/config";
import type { Ctx } from "@/core/context";
import { installation } from "@/core/tables";
import { codeOf, translate } from "../rest";
import { panel } from "./words";

const name = "ticket_panel";
const unknownMessage = 10008;

/**
 * Sees to it that the support channel holds the panel, once and as it should read. One that somebody
 * deleted is posted anew. Throws what `Guild` throws.
 */
export async function keepPanel(ctx: Ctx, rest: REST, { supportChannelId }: DiscordConfig): Promise<void> {
  try {
    const { embeds = [], components = [] } = panel();
    const body = {
      embeds: embeds.map((one) => one.toJSON()),
      components: components.map((one) => one.toJSON()),
      allowed_mentions: { parse: [] },
    };
    const known = (await panelId(ctx)) ?? (await findPanel(rest, supportChannelId));
    if (known && (await edit(rest, Routes.channelMessage(supportChannelId, known), body)))
      return remember(ctx, known);
    const nonce = createHash("sha256")
      .update(`panel:${known ?? ""}`)
      .digest("base64url")
      .slice(0, 25);
    const made = await rest.post(Routes.channelMessages(supportChannelId), {
      body: { ...body, nonce, enforce_nonce: true },
    });
    // Discord's answer to this call
    await remember(ctx, (made as APIMessage).id);
  } catch (error) {
    throw translate(error);
  }
}

export async function panelId(ctx: Ctx): Promise<string | null> {
  const [row] = await ctx.store.db.select().from(installation).where(eq(installation.name, name));
  return row?.value ?? null;
}

/** False when it is no longer there. */
async function edit(rest: REST, route: `/${string}`, body: object): Promise<boolean> {
  try {
    const there = (await rest.get(route)) as APIMessage;
    if (JSON.stringify(shapeOf(there)) !== JSON.stringify(shapeOf(body))) await rest.patch(route, { body });
    return true;
  } catch (error) {
    if (codeOf(error) === unknownMessage) return false;
    throw error;
  }
}

/** What tells one panel from another: its texts and buttons, without what Discord adds. */
const shapeOf = (message: Partial<APIMessage> | object) =>
  [...JSON.stringify(message).matchAll(/"(title|description|custom_id|label)":"((?:[^"\\]|\\.)*)"/g)]
    .map(([, key, text]) => `${key}=${text}`)
    .toSorted();

/** One that was posted a moment before the process ended. */
async function findPanel(rest: REST, channelId: string): Promise<string | null> {
  const query = new URLSearchParams({ limit: "100" });
  const page = (await rest.get(Routes.channelMessages(channelId), { query })) as APIMessage[];
  const mine = page.find(
    (one) => one.author.bot && JSON.stringify(one.components ?? []).includes('"ticket-topic:'),
  );
  return mine?.id ?? null;
}

const remember = (ctx: Ctx, value: string) =>
  commit(ctx.store, [
    ctx.store.db
      .insert(installation)
      .values({ name, value })
      .onConflictDoUpdate({ target: installation.name, set: { value } }),
  ]);
