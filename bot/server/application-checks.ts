import { type REST, Routes } from "discord.js";
import { z } from "zod";
import type { DiscordConfig } from "@/core/settings/config";
import { readAnswer, translated } from "../discord/rest";

const applicationAnswer = z.looseObject({ id: z.string(), redirect_uris: z.array(z.string()).nullish() });

/**
 * What keeps customers from connecting their Discord accounts, a sentence each. `isClient` says whether Discord knows
 * the application's id and secret; with a wrong id the bot does not ask, because Discord counts refusals.
 * https://discord.com/developers/docs/resources/application#get-current-application
 */
export async function applicationComplaints(
  rest: REST,
  config: DiscordConfig,
  redirect: string,
  isClient: (config: DiscordConfig) => Promise<boolean>,
): Promise<string[]> {
  const answer = await translated(rest.get(Routes.currentApplication()));
  const { id, redirect_uris: known } = readAnswer(applicationAnswer, "GET /applications/@me", answer);
  if (id !== config.clientId) {
    return [`DISCORD_CLIENT_ID is not the bot's application, which is ${id}: nobody can connect an account.`];
  }
  const secret =
    "Discord refuses DISCORD_CLIENT_SECRET: nobody can connect an account. Copy it from the developer portal, under OAuth2.";
  const place = `The application lacks the redirect ${redirect}: nobody can connect an account. Add it in the developer portal, under OAuth2.`;
  return [
    ...((await isClient(config)) ? [] : [secret]),
    ...(known && !known.includes(redirect) ? [place] : []),
  ];
}
