import { brand } from "@/brand/brand";
import type { Ctx } from "@/core/database/context";
import type { Handler } from "@/core/jobs/job-handlers";
import { type botTopics } from "@/domain/outbox-topics";
import { type ReleaseRow, releaseById } from "@/domain/releases/current";
import { maxMessageCharacters, type Posts } from "./discord/posts";

type News = { posts: Posts; channelId: string | null; publicUrl: URL; stop: AbortSignal };

/** Posts a release's notes in the news channel, unless the release was yanked or the channel is gone. */
export const releaseNews = (
  ctx: Ctx,
  { posts, channelId, publicUrl, stop }: News,
): { postReleaseNews: Handler<typeof botTopics.postReleaseNews> } => ({
  postReleaseNews: async ({ key, subject }) => {
    const release = await releaseById(ctx, subject);
    if (!release || release.yankedAt || channelId === null) return [];
    await posts.post(channelId, { content: newsOf(release, publicUrl) }, key, stop);
    return [];
  },
});

/** The notes as one message; the dashboard's changelog has what is cut off. */
export function newsOf(
  { version, title, content }: Pick<ReleaseRow, "version" | "title" | "content">,
  publicUrl: URL,
) {
  const name = `${brand.product} ${version}`;
  const head = `**${title === name ? name : `${name}: ${title}`}**`;
  const more = new URL("/dashboard", publicUrl).href;
  const between = "\n\n";
  const room = maxMessageCharacters - head.length - more.length - 2 * between.length;
  // not half of a surrogate pair
  const shown =
    content.length > room ? `${content.slice(0, room - 1).replace(/[\uD800-\uDBFF]$/, "")}…` : content;
  return [head, shown, more]
    .filter((part) => part !== "")
    .join(between)
    .slice(0, maxMessageCharacters);
}
