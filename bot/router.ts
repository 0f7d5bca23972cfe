import {
  type ButtonInteraction,
  type Interaction,
  MessageFlags,
  type ModalSubmitInteraction,
  type RepliableInteraction,
} from "discord.js";
import { reasonOf } from "@/core/log";
import { Refusal } from "@/core/refusal";
import { GuildForbids, GuildUnavailable } from "@/domain/community/guild";
import type { Desk, Press, Reply } from "./asked";
import { commands } from "./commands/all";
import { holdsRole } from "./holds-role";
import type { Duties } from "./duties";
import { notHere, phrase, staffOnly, wentWrong } from "./refusals";
import type { BotParts } from "./start";
import { ticketPresses } from "./tickets/presses";

/** Sends what somebody does to the command it belongs to, and what comes of it to them alone. */
export function createRouter(parts: BotParts, duties: Duties) {
  const desk: Desk = { ...parts, duties };
  const byName = new Map(commands.map((command) => [command.data.name, command]));
  return async (interaction: Interaction): Promise<void> => {
    if (interaction.isChatInputCommand()) {
      const command = byName.get(interaction.commandName);
      if (!command) return;
      const obstacle = obstacleTo(command, interaction, desk);
      if (obstacle) return say(interaction, obstacle);
      if ("form" in command) return void (await interaction.showModal(command.form()));
      return answer(desk, interaction, () => command.answer(desk, interaction));
    }
    if (interaction.isButton() || interaction.isModalSubmit()) {
      const [name = "", ...rest] = interaction.customId.split(":");
      const press = ticketPresses[name];
      if (press) return pressed(desk, interaction, { press, parts: rest });
    }
    if (interaction.isModalSubmit()) {
      const command = byName.get(interaction.customId);
      if (!command || !("form" in command)) return;
      const obstacle = obstacleTo(command, interaction, desk);
      if (obstacle) return say(interaction, obstacle);
      return answer(desk, interaction, () => command.submitted(desk, interaction));
    }
  };
}

type Pressing = { press: Press; parts: string[] };

async function pressed(
  desk: Desk,
  asked: ButtonInteraction | ModalSubmitInteraction,
  { press, parts }: Pressing,
): Promise<void> {
  const obstacle = obstacleTo(press, asked, desk);
  if (obstacle) return say(asked, obstacle);
  if (asked.isButton()) {
    if ("form" in press) await asked.showModal(press.form(parts));
    if ("pressed" in press) await answer(desk, asked, () => press.pressed(desk, asked, parts));
  } else if ("submitted" in press) await answer(desk, asked, () => press.submitted(desk, asked, parts));
}

/** Why this person can't do this here, or null; looked at again at each press. */
function obstacleTo(
  command: { staff?: boolean },
  asked: RepliableInteraction,
  { config }: Desk,
): string | null {
  if (asked.guildId !== config.guildId || !asked.member) return notHere;
  if (!command.staff) return null;
  return holdsRole(asked, config.supportRoleId) ? null : staffOnly;
}

/** Discord waits three seconds for a sign of life, so it gets one before anything is done. */
async function answer(desk: Desk, asked: RepliableInteraction, act: () => Promise<Reply>): Promise<void> {
  await asked.deferReply({ flags: MessageFlags.Ephemeral });
  const reply = await act().catch((error: unknown): Reply => ({ content: sentenceFor(desk, error) }));
  await asked.editReply({ ...reply, allowedMentions: { parse: [] } });
}

function sentenceFor({ ctx }: Desk, error: unknown): string {
  if (error instanceof Refusal) return phrase(error.code, error.detail);
  if (error instanceof GuildUnavailable || error instanceof GuildForbids) {
    return "Discord did not let me look right now. It will be tried again by itself.";
  }
  ctx.log.error("a command failed", { reason: reasonOf(error) });
  return wentWrong;
}

async function say(asked: RepliableInteraction, content: string): Promise<void> {
  await asked.reply({ content, flags: MessageFlags.Ephemeral, allowedMentions: { parse: [] } });
}
