import { type REST, Routes } from "discord.js";
import type { DiscordConfig } from "@/core/config";
import { commands } from "./all";

/** Puts the whole list in place of whatever was there; doing it again changes nothing. */
export async function registerCommands(
  rest: REST,
  { clientId, guildId }: DiscordConfig,
  signal: AbortSignal,
): Promise<void> {
  await rest.put(Routes.applicationGuildCommands(clientId, guildId), {
    body: commands.map(({ data }) => data),
    signal,
  });
}
