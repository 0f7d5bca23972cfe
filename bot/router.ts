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
import type { Desk, Press, Reply } from "./interactions/command-types";
import { commands } from "./commands/all";
import { holdsRole } from "./interactions/holds-role";
import type { Duties } from "./bot-services";
import { type Errand, type Outcome, watchErrands } from "./interactions/interaction-log";
import { notHere, phrase, staffOnly, wentWrong } from "./interactions/refusals";
import type { BotParts } from "./start";
import { ticketPresses } from "./tickets/presses";

const commandsByName = new Map(commands.map((command) => [command.data.name, command]));

/** Sends what somebody does to the command it belongs to, and what comes of it to them alone. */
export function createRouter(parts: BotParts, duties: Duties) {
  const desk: Desk = { ...parts, duties };
  const watched = watchErrands(parts.ctx, parts.metrics);
  return async (interaction: Interaction): Promise<void> => {
    const errand = errandOf(desk, interaction);
    if (errand) await watched(errand);
  };
}

/** What an interaction asks for, by a name that this code knows; null where it is nothing of ours. */
function errandOf(desk: Desk, asked: Interaction): Errand | null {
  if (asked.isChatInputCommand()) {
    const command = commandsByName.get(asked.commandName);
    if (!command) return null;
    const run = async (): Promise<Outcome> => {
      if ("answer" in command) return answer(desk, asked, () => command.answer(desk, asked));
      await asked.showModal(command.form());
      return "form";
    };
    return { kind: "command", name: command.data.name, run: allowed(desk, { command, asked, run }) };
  }
  if (!asked.isButton() && !asked.isModalSubmit()) return null;
  const kind = asked.isButton() ? "button" : "form";
  const [name = "", ...rest] = asked.customId.split(":");
  const press = Object.hasOwn(ticketPresses, name) ? ticketPresses[name] : undefined;
  if (press) {
    const run = () => pressed(desk, asked, { press, parts: rest });
    return { kind, name, run: allowed(desk, { command: press, asked, run }) };
  }
  const command = asked.isModalSubmit() ? commandsByName.get(asked.customId) : undefined;
  if (!command || !asked.isModalSubmit() || !("form" in command)) return null;
  const run = () => answer(desk, asked, () => command.submitted(desk, asked));
  return { kind, name: command.data.name, run: allowed(desk, { command, asked, run }) };
}

type Pressing = { press: Press; parts: string[] };

async function pressed(
  desk: Desk,
  asked: ButtonInteraction | ModalSubmitInteraction,
  { press, parts }: Pressing,
): Promise<Outcome> {
  if (asked.isButton() && "form" in press) {
    await asked.showModal(press.form(parts));
    return "form";
  }
  if (asked.isButton() && "pressed" in press) {
    return answer(desk, asked, () => press.pressed(desk, asked, parts));
  }
  if (asked.isModalSubmit() && "submitted" in press) {
    return answer(desk, asked, () => press.submitted(desk, asked, parts));
  }
  return "ignored";
}

type Guarded = {
  command: { staff?: boolean };
  asked: RepliableInteraction;
  run: () => Promise<Outcome>;
};

/** Only for who may do this here; looked at again at each press. */
const allowed =
  ({ config }: Desk, { command, asked, run }: Guarded) =>
  async (): Promise<Outcome> => {
    if (asked.guildId !== config.guildId || !asked.member) {
      await say(asked, notHere);
      return "not_here";
    }
    if (command.staff && !holdsRole(asked, config.supportRoleId)) {
      await say(asked, staffOnly);
      return "staff_only";
    }
    return run();
  };

/** Discord waits three seconds for a sign of life, so it gets one before anything is done. */
async function answer(desk: Desk, asked: RepliableInteraction, act: () => Promise<Reply>): Promise<Outcome> {
  await asked.deferReply({ flags: MessageFlags.Ephemeral });
  let outcome: Outcome = "answered";
  const reply = await act().catch((error: unknown): Reply => {
    outcome = outcomeOf(error);
    return { content: sentenceFor(desk, error) };
  });
  await asked.editReply({ ...reply, allowedMentions: { parse: [] } });
  return outcome;
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof Refusal) return error.code;
  return error instanceof GuildUnavailable || error instanceof GuildForbids ? "discord_away" : "failed";
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
