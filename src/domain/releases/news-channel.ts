import type { Config } from "@/core/settings/config";

/** Why release notes can't be posted in the news channel; null if they can. The demo's simulator has one. */
export function newsChannelProblem({ discord }: Pick<Config, "discord">): string | null {
  if (discord === "off") return "The setting DISCORD is off, so the notes can't be posted.";
  if (discord === null || discord.newsChannelId !== null) return null;
  return "The setting DISCORD_NEWS_CHANNEL_ID is missing, so the notes can't be posted.";
}
