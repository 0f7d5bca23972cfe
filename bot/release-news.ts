import { createHash } from "node:crypto";
import { type REST, Routes } from "discord.js";
import { brand } from "@/brand/brand";
import type { Ctx } from "@/core/context";
import type { Handler } from "@/core/outbox";
import { type ReleaseRow, releaseById } from "@/domain/releases/current";

type News = { rest: REST; channelId: string | null; publicUrl: URL; stop: AbortSignal };

/** Discord's own limit: https://discord.com/developers/docs/resources/message#create-message */
const mostCharacters = 2000;

/** Posts the notes of a release in the news channel, unless it was yanked before or there is no such channel any more. */
export const releaseNews = (
  ctx: Ctx,
  { rest, channelId, publicUrl, stop }: News,
): { "news.release": Handler<"news.release"> } => ({
  "news.release": async ({ key, subject }) => {
    const release = await releaseById(ctx, subject);
    if (!release || release.yankedAt || channelId === null) return [];
    await rest.post(Routes.channelMessages(channelId), {
      signal: stop,
      body: {
        content: newsOf(release, publicUrl),
        allowed_mentions: { parse: [] },
        // Discord recognises a repeat after a crash for some minutes
        nonce: createHash("sha256").update(key).digest("base64url").slice(0, 25),
        enforce_nonce: true,
      },
    });
    return [];
  },
});

/** The notes as one message; what does not fit is read in the dashboard's changelog. */
export function newsOf(
  { version, title, content }: Pick<ReleaseRow, "version" | "title" | "content">,
  publicUrl: URL,
) {
  const head = `**${brand.product} ${version}: ${title}**\n\n`;
  const more = `\n\n${new URL("/dashboard", publicUrl).href}`;
  const room = mostCharacters - head.length - more.length;
  // not half of a surrogate pair
  const shown =
    content.length > room ? `${content.slice(0, room - 1).replace(/[\uD800-\uDBFF]$/, "")}…` : content;
  return `${head}${shown}${more}`.slice(0, mostCharacters);
}
