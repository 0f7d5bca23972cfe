import { type REST, Routes } from "discord.js";
import type { DiscordConfig } from "@/core/settings/config";
import type { Command } from "../interactions/command-types";
import { support } from "../tickets/support-command";
import { ticket } from "../tickets/ticket-command";
import { customer } from "./customer";
import { device } from "./device";
import { licence } from "./licence";
import { link } from "./link";
import { premium } from "./premium";
import { redeem } from "./redeem";
import { relink } from "./relink";
import { sync } from "./sync";

/** Every command of the server. */
export const commands: Command[] = [
  premium,
  link,
  redeem,
  support,
  customer,
  licence,
  device,
  relink,
  sync,
  ticket,
];

/** Replaces all the server's commands; idempotent. */
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
