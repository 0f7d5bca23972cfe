import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandUserOption,
  ApplicationCommandOptionType as Option,
  type ChatInputCommandInteraction,
} from "discord.js";
import type { Command, CommandContext, Reply } from "../interactions/command-types";
import { forStaff } from "../interactions/staff-options";
import { find, list, stats, transcript } from "./staff-queries";
import { number, page, topic } from "./options";
import { add, close, reopen, tag, tagNames, transfer } from "./staff-actions";

type Verb = {
  description: string;
  /** Discord wants the required ones first. */
  options: APIApplicationCommandBasicOption[];
  answer(context: CommandContext, interaction: ChatInputCommandInteraction): Promise<Reply>;
};

const member = (description: string): APIApplicationCommandUserOption => ({
  type: Option.User,
  name: "member",
  description,
  required: true,
});

const verbs: Record<string, Verb> = {
  list: { description: "Tickets that are open, longest waiting first", options: [page], answer: list },
  find: { description: "A member's tickets", options: [member("Whose"), page], answer: find },
  stats: { description: "How support is doing", options: [], answer: stats },
  transcript: {
    description: "All that was said in a ticket, notes included",
    options: [number],
    answer: transcript,
  },
  close: {
    description: "End a ticket",
    options: [
      {
        type: Option.String,
        name: "reason",
        description: "Why; the member reads it",
        required: true,
        min_length: 3,
        max_length: 300,
      },
      number,
    ],
    answer: close,
  },
  reopen: { description: "Open a ticket again, within a week of its end", options: [number], answer: reopen },
  transfer: { description: "Move a ticket to another topic", options: [topic, number], answer: transfer },
  add: {
    description: "Let another member into a ticket",
    options: [member("Whom"), number],
    answer: add,
  },
  tag: {
    description: "Post a canned answer in a ticket",
    options: [
      {
        type: Option.String,
        name: "name",
        description: "Which",
        required: true,
        choices: tagNames.map((name) => ({ name, value: name })),
      },
      number,
    ],
    answer: tag,
  },
};

/** Staff look up and change tickets. */
export const ticket: Command = {
  staff: true,
  data: forStaff({
    name: "ticket",
    description: "Support tickets",
    options: Object.entries(verbs).map(([name, { description, options }]) => ({
      type: Option.Subcommand as const,
      name,
      description,
      options,
    })),
  }),
  answer: (context, interaction) =>
    verbs[interaction.options.getSubcommand()]?.answer(context, interaction) ??
    Promise.resolve({ content: "There is no such command." }),
};
