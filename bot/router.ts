import {
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  type Interaction,
  MessageFlags,
  type ModalSubmitInteraction,
  type RepliableInteraction,
} from "discord.js";
import { failureOf } from "@/core/log/failure";
import type { Metrics } from "@/core/log/metrics";
import { Refusal, type RefusalDetail } from "@/core/base/refusal";
import { GuildForbids, GuildUnavailable } from "@/domain/discord/guild";
import { authorize, type Permission } from "@/domain/permissions";
import type { Command, CommandContext, ComponentHandler, Reply } from "./interactions/command-types";
import { commands } from "./commands/all";
import { type InteractionTask, type Outcome, logInteractions } from "./interactions/interaction-log";
import { isForSupport, notHere, refusalText, wentWrong } from "./interactions/refusals";
import { memberComponents } from "./tickets/member-components";
import { refundComponents } from "./tickets/refund-components";
import { staffComponents } from "./tickets/staff-card";
import { staffOf } from "./interactions/actor";

const ticketComponents: Record<string, ComponentHandler> = {
  ...memberComponents,
  ...staffComponents,
  ...refundComponents,
};
const commandsByName = new Map(commands.map((command) => [command.data.name, command]));

/** Passes each interaction to its command or component handler, and replies only to the member who asked. */
export function createRouter(context: CommandContext, metrics: Metrics) {
  const logged = logInteractions(context.ctx, metrics);
  return async (interaction: Interaction): Promise<void> => {
    const task = taskOf(context, interaction);
    if (task) await logged(task);
  };
}

/** What to do about an interaction; null if it is not for the bot. */
function taskOf(context: CommandContext, interaction: Interaction): InteractionTask | null {
  if (interaction.isChatInputCommand()) {
    const command = commandsByName.get(interaction.commandName);
    if (!command) return null;
    const operation = operationOf(command, interaction);
    const run = async (): Promise<Outcome> => {
      if ("answer" in command)
        return answer(context, interaction, () => command.answer(context, interaction));
      await interaction.showModal(command.form());
      return "form";
    };
    return {
      kind: "command",
      name: command.data.name,
      run: allowed(context, { operation, interaction, run }),
    };
  }
  if (!interaction.isButton() && !interaction.isModalSubmit()) return null;
  const kind = interaction.isButton() ? "button" : "form";
  const [name = "", ...rest] = interaction.customId.split(":");
  const handler = Object.hasOwn(ticketComponents, name) ? ticketComponents[name] : undefined;
  if (handler) {
    const run = () => runComponent(context, interaction, { handler, parts: rest });
    return { kind, name, run: allowed(context, { operation: handler.operation, interaction, run }) };
  }
  const command = interaction.isModalSubmit() ? commandsByName.get(interaction.customId) : undefined;
  if (!command || !interaction.isModalSubmit() || !("form" in command)) return null;
  const run = () => answer(context, interaction, () => command.submitted(context, interaction));
  return {
    kind,
    name: command.data.name,
    run: allowed(context, { operation: operationOf(command, null), interaction, run }),
  };
}

/** A command's operation, by subcommand if each has its own. An unknown subcommand needs the first one's permission. */
function operationOf({ operation }: Command, interaction: ChatInputCommandInteraction | null) {
  if (typeof operation !== "object") return operation;
  return operation[interaction?.options.getSubcommand() ?? ""] ?? Object.values(operation)[0];
}

type Component = { handler: ComponentHandler; parts: string[] };

async function runComponent(
  context: CommandContext,
  interaction: ButtonInteraction | ModalSubmitInteraction,
  { handler, parts }: Component,
): Promise<Outcome> {
  if (interaction.isButton() && "form" in handler) {
    await interaction.showModal(await handler.form(parts, context));
    return "form";
  }
  if (interaction.isButton() && "pressed" in handler) {
    return answer(context, interaction, () => handler.pressed(context, interaction, parts));
  }
  if (interaction.isModalSubmit() && "submitted" in handler) {
    return answer(context, interaction, () => handler.submitted(context, interaction, parts));
  }
  return "ignored";
}

type GuardedInteraction = {
  operation: Permission | undefined;
  interaction: RepliableInteraction;
  run: () => Promise<Outcome>;
};

/**
 * Runs a handler only in the shop's server, and only for members with the permission, checked at each use before a form
 * is shown. The operation checks again.
 */
const allowed =
  (context: CommandContext, { operation, interaction, run }: GuardedInteraction) =>
  async (): Promise<Outcome> => {
    if (interaction.guildId !== context.config.guildId || !interaction.member) {
      await reply(interaction, notHere);
      return "not_here";
    }
    if (!operation) return run();
    try {
      authorize(await staffOf(context, interaction), operation);
    } catch (error) {
      await reply(interaction, sentenceFor(context, error));
      return interactionOutcome(error);
    }
    return run();
  };

/** Discord expects a response within three seconds, so defer before anything else. */
async function answer(
  context: CommandContext,
  interaction: RepliableInteraction,
  act: () => Promise<Reply>,
): Promise<Outcome> {
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  let outcome: Outcome = "answered";
  const reply = await act().catch((error: unknown): Reply => {
    outcome = interactionOutcome(error);
    return { content: sentenceFor(context, error) };
  });
  await interaction.editReply({ ...reply, allowedMentions: { parse: [] } });
  return outcome;
}

function interactionOutcome(error: unknown): Outcome {
  if (error instanceof Refusal && error.code === "forbidden") return lackingRole(error.detail);
  if (error instanceof Refusal) return error.code;
  return error instanceof GuildUnavailable || error instanceof GuildForbids ? "discord_away" : "failed";
}

function lackingRole({ needs }: RefusalDetail): Outcome {
  if (!needs) return "forbidden";
  return isForSupport(needs) ? "staff_only" : "owners_only";
}

function sentenceFor({ ctx }: CommandContext, error: unknown): string {
  if (error instanceof Refusal) return refusalText(error);
  if (error instanceof GuildForbids) return `Discord doesn't let the bot do that (${error.code}).`;
  if (error instanceof GuildUnavailable) return "Discord can't be reached right now. Please try again later.";
  ctx.log.error("a command failed", failureOf(error));
  return wentWrong;
}

async function reply(interaction: RepliableInteraction, content: string): Promise<void> {
  await interaction.reply({ content, flags: MessageFlags.Ephemeral, allowedMentions: { parse: [] } });
}
