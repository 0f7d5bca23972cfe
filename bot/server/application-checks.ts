import type { REST } from "discord.js";
import type { DiscordConfig } from "@/core/settings/config";
import { readApplication } from "./building";

/**
 * What keeps customers from connecting their Discord accounts, a sentence each. `isClient` says whether Discord knows
 * the application's id and secret; with a wrong id the bot does not ask, because Discord counts refusals.
 */
export async function applicationComplaints(
  rest: REST,
  config: DiscordConfig,
  redirect: string,
  isClient: (config: DiscordConfig) => Promise<boolean>,
): Promise<string[]> {
  const { id, redirects } = await readApplication(rest);
  if (id !== config.clientId) {
    return [`DISCORD_CLIENT_ID is not the bot's application, which is ${id}: nobody can connect an account.`];
  }
  const secret =
    "Discord refuses DISCORD_CLIENT_SECRET: nobody can connect an account. Copy it from the developer portal, under OAuth2.";
  const place = `The application lacks the redirect ${redirect}: nobody can connect an account. Add it in the developer portal, under OAuth2.`;
  return [
    ...((await isClient(config)) ? [] : [secret]),
    ...(redirects && !redirects.includes(redirect) ? [place] : []),
  ];
}
