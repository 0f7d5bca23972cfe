import {
  type APIApplicationCommandIntegerOption,
  type APIApplicationCommandStringOption,
  ApplicationCommandOptionType as Option,
  type ChatInputCommandInteraction,
} from "discord.js";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { type Ticket, ticketByNumber, ticketOfThread } from "@/domain/tickets/queries";
import { topicNames, topicOf } from "./messages";

export const number: APIApplicationCommandIntegerOption = {
  type: Option.Integer,
  name: "number",
  description: "The ticket's number; without one it is the ticket of this thread",
  min_value: 1,
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

/** The ticket that was named, or in whose thread was asked; null where neither is one. */
export async function ticketMeant(
  ctx: Ctx,
  { options, channelId }: ChatInputCommandInteraction,
): Promise<Ticket | null> {
  const given = options.getInteger("number");
  return given === null ? ticketOfThread(ctx, channelId) : ticketByNumber(ctx, given);
}

/** The same where there must be one. Refuses with `ticket_unknown`. */
export async function expectTicketMeant(ctx: Ctx, asked: ChatInputCommandInteraction): Promise<Ticket> {
  const found = await ticketMeant(ctx, asked);
  if (!found) throw new Refusal("ticket_unknown");
  return found;
}
