import {
  type APIApplicationCommandIntegerOption,
  type APIApplicationCommandStringOption,
  ApplicationCommandOptionType as Option,
  type ChatInputCommandInteraction,
} from "discord.js";
import type { Ctx } from "@/core/database/context";
import { type Ticket, ticketByNumber, ticketOfThread } from "@/domain/tickets/reading/queries";
import { topicNames, topicOf } from "@/domain/tickets/reading/topics";
import { maxNoteLength } from "@/contract/vocabulary/bounds";

export const number: APIApplicationCommandIntegerOption = {
  type: Option.Integer,
  name: "number",
  description: "The ticket's number; this thread's ticket if left out",
  min_value: 1,
};

export const note: APIApplicationCommandStringOption = {
  type: Option.String,
  name: "note",
  description: "A note for staff only; the customer can't see it",
  max_length: maxNoteLength,
};

export const page: APIApplicationCommandIntegerOption = {
  type: Option.Integer,
  name: "page",
  description: "Which page of the list",
  min_value: 1,
};

export const topic: APIApplicationCommandStringOption = {
  type: Option.String,
  name: "topic",
  description: "What it is about",
  required: true,
  choices: topicNames.map((name) => ({ name: topicOf(name).name, value: name })),
};

/**
 * The ticket with the given number, or else the ticket of the thread where the member uses the command; null without a
 * ticket.
 */
export async function ticketMeant(
  ctx: Ctx,
  { options, channelId }: ChatInputCommandInteraction,
): Promise<Ticket | null> {
  const given = options.getInteger("number");
  return given === null ? ticketOfThread(ctx, channelId) : ticketByNumber(ctx, given);
}
